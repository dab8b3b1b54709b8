import { EventEmitter, once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import type { FastifyBaseLogger } from "fastify";
import { type Runner, type RunnerOptions, run, type WorkerEvents } from "graphile-worker";
import type { Tx } from "../db/database.ts";
import { recordJobRunner } from "./lost-jobs.ts";

/** How often a runner records that it is alive. */
const aliveIntervalMs = 15_000;

export type JobRunner = { stop(): Promise<void> };

/**
 * Runs jobs until it is stopped. A Graphile Worker runner that cannot store the result of a job gives up; it is
 * replaced by a new one.
 */
export async function startJobRunner(
  db: Tx,
  options: RunnerOptions,
  log: FastifyBaseLogger,
): Promise<JobRunner> {
  const stopping = new AbortController();
  let { runner, gaveUp } = await startRunner(db, options);
  const replacing = replaceRunners();

  async function replaceRunners(): Promise<void> {
    for (; !stopping.signal.aborted; await wait(500, undefined, { ref: false })) {
      await Promise.race([runner.promise, gaveUp]).catch((error: unknown) =>
        log.warn({ err: error }, "job runner ended"),
      );
      // Its cron timer still runs.
      void runner.stop().catch(() => {});
      if (stopping.signal.aborted) return;
      ({ runner, gaveUp } = await startRunner(db, options).catch(() => ({ runner, gaveUp })));
    }
  }

  return {
    async stop() {
      stopping.abort();
      // `stop` of a runner that has ended by itself rejects.
      const end = () => Promise.race([runner.stop(), gaveUp]).catch(() => {});
      await end();
      await replacing;
      // A replacement may have been started in the meantime.
      await end();
    },
  };
}

/** Starts a runner; one that reconciles does so at once, to repair what a crash left behind. */
async function startRunner(db: Tx, options: RunnerOptions) {
  const events: WorkerEvents = new EventEmitter();
  recordWhileAlive(db, events);
  const runner = await run({ ...options, events });
  const gaveUp = rejectOnGivingUp(runner);
  try {
    if (options.taskList?.reconcile)
      await runner.addJob("reconcile", {}, { jobKey: "reconcile", maxAttempts: 1 });
    return { runner, gaveUp };
  } catch (error) {
    await runner.stop().catch(() => {});
    throw error;
  }
}

/** A runner locks its jobs by the id of its pool. If it can't be recorded for a minute, others may run its jobs too. */
function recordWhileAlive(db: Tx, events: WorkerEvents): void {
  events.once("pool:create", ({ workerPool: { id } }) => {
    const record = () => void recordJobRunner(db, id).catch(() => {});
    record();
    const timer = setInterval(record, aliveIntervalMs).unref();
    events.once("pool:release", () => clearInterval(timer));
    // One that gave up may never be released.
    events.once("pool:fatalError", () => {
      clearInterval(timer);
      void recordLastTime(db, id);
    });
  });
}

/**
 * Records a runner that gave up, once PostgreSQL can be reached: a failover empties the records, and without one its
 * jobs would wait ten minutes instead of two.
 */
async function recordLastTime(db: Tx, id: string): Promise<void> {
  for (let tries = 0; tries < 120; tries += 1) {
    const isRecorded = await recordJobRunner(db, id).then(
      () => true,
      () => false,
    );
    if (isRecorded) return;
    await wait(1_000, undefined, { ref: false });
  }
}

/**
 * Rejects once the runner gives up. Its own promise may never settle: if all of its jobs end after that, it
 * miscounts them and waits for one more (Graphile Worker 0.18).
 */
function rejectOnGivingUp({ events }: Runner): Promise<never> {
  const gaveUp = once(events, "pool:fatalError").then(([{ error }]) => Promise.reject(error));
  // Not an unhandled rejection if nobody awaits it any more.
  gaveUp.catch(() => {});
  return gaveUp;
}
