import { setTimeout as wait } from "node:timers/promises";
import type { FastifyBaseLogger } from "fastify";
import { committedJobs } from "../db/committed-changes.ts";
import type { Tx } from "../db/database.ts";
import { forwardJobs } from "../db/job-queue.ts";

/** Jobs that this process commits within this time are forwarded in one batch. */
const batchDelayMs = 25;

/** Polling finds jobs that another node committed before it crashed. */
const pollIntervalMs = 1_000;

/**
 * Forwards jobs from the outbox to Graphile Worker in batches. This happens outside of request
 * transactions, where NOTIFY would make concurrent commits wait for each other
 * (decisions/jobs-and-mail). For `last`, see `forwardJobs`. Returns a function that stops the
 * forwarding.
 */
export function startJobOutbox(
  db: Tx,
  { last, log }: { last: string[]; log: FastifyBaseLogger },
): () => Promise<void> {
  let stopped = false;
  let wake = () => {};
  const onCommit = () => wake();
  committedJobs.subscribe(onCommit);
  const polling = setInterval(onCommit, pollIntervalMs).unref();
  const forwarding = forward();

  async function forward(): Promise<void> {
    while (!stopped) {
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
      });
      await forwardAll().catch((error: unknown) => log.warn({ err: error }, "jobs not forwarded"));
      await woken;
      if (!stopped) await wait(batchDelayMs, undefined, { ref: false });
    }
  }

  async function forwardAll(): Promise<void> {
    while (await forwardJobs(db, last));
  }

  return async () => {
    stopped = true;
    clearInterval(polling);
    committedJobs.unsubscribe(onCommit);
    wake();
    await forwarding;
    // If this attempt fails, another node or the next start forwards the remaining jobs.
    await forwardAll().catch(() => {});
  };
}
