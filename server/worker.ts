import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import type { FastifyBaseLogger } from "fastify";
import { Logger, type Runner, type RunnerOptions, run, type Task } from "graphile-worker";
import type pg from "pg";
import { freeLostJobs, type JobName, type Jobs } from "./db/job-queue.ts";
import type { Deps } from "./deps.ts";
import { expireHold } from "./features/bookings/hold-expiry.ts";
import { sendQueuedEmail } from "./features/email/send-email.ts";
import { offerPasswordReset } from "./features/identity/password-reset.ts";
import { removeImage } from "./features/images/unused-images.ts";
import { endHoldsOf } from "./features/members/suspension.ts";
import { reconcile } from "./features/payments/reconcile.ts";
import { refundPayment } from "./features/payments/refunds.ts";
import { settleIntent } from "./features/payments/webhook.ts";
import { cleanUp } from "./features/retention/clean-up.ts";

type Tasks = { [N in JobName]: (payload: Jobs[N]) => Promise<void> };

export type Worker = { stop(): Promise<void> };

/** How long jobs still being done may keep the program from ending, in milliseconds. */
const patience = 10_000;

/**
 * Does the jobs left behind by transactions, and reconciles every minute, until it is stopped. Letters have
 * a hand of their own: money and holds wait for no mail server, and letters leave in the order they were left.
 */
export async function startWorker(
  deps: Deps,
  pool: pg.Pool,
  log: FastifyBaseLogger,
): Promise<Worker> {
  const underWay = new Set<Promise<unknown>>();
  const { sendMail, ...others } = watched(tasksOf(deps), underWay);
  const common = runnerOptions(pool, log);
  const keepers = [
    await keepRunning({ ...common, taskList: others, concurrency: 4, crontab }, log),
    await keepRunning({ ...common, taskList: { sendMail }, concurrency: 1, ...noCrontab }, log),
  ];
  return {
    async stop() {
      await Promise.all(keepers.map((keeper) => keeper.stop()));
      // A runner that gave up waits for none of its jobs, and they use what is closed after this.
      await Promise.race([Promise.allSettled(underWay), wait(patience, undefined, { ref: false })]);
    },
  };
}

/** A runner that can't write down how a job ended gives up; another one takes its place. */
async function keepRunning(options: RunnerOptions, log: FastifyBaseLogger): Promise<Worker> {
  const stopping = new AbortController();
  let { runner, gaveUp } = await startRunner(options);
  const over = replaceRunners();

  async function replaceRunners(): Promise<void> {
    for (; !stopping.signal.aborted; await wait(500, undefined, { ref: false })) {
      await Promise.race([runner.promise, gaveUp]).catch((error: unknown) =>
        log.warn({ err: error }, "job runner ended"),
      );
      // One that gave up still looks at the clock.
      void runner.stop().catch(() => {});
      if (stopping.signal.aborted) return;
      ({ runner, gaveUp } = await startRunner(options).catch(() => ({ runner, gaveUp })));
    }
  }

  return {
    async stop() {
      stopping.abort();
      // One that has ended by itself can't be stopped, and need not be.
      const end = () => Promise.race([runner.stop(), gaveUp]).catch(() => {});
      await end();
      await over;
      // Another one may just have been started.
      await end();
    },
  };
}

function tasksOf(deps: Deps): Tasks {
  return {
    expireHold: ({ bookingId }) => expireHold(deps, bookingId),
    settleIntent: ({ intentId }) => settleIntent(deps, intentId),
    refundPayment: ({ paymentId }) => refundPayment(deps, paymentId),
    sendMail: (post) => sendQueuedEmail(deps, post),
    offerPasswordReset: ({ email }) => offerPasswordReset(deps, email),
    removeImage: ({ sha256 }) => removeImage(deps, sha256),
    endHoldsOf: (whose) => endHoldsOf(deps, whose),
    reconcile: () => reconcile(deps),
    cleanUp: () => cleanUp(deps),
    freeLostJobs: () => freeLostJobs(deps.db),
  };
}

/** The tasks; `underWay` has what they are doing. */
function watched(tasks: Tasks, underWay: Set<Promise<unknown>>): Record<string, Task> {
  const watch =
    (task: Task): Task =>
    async (payload, helpers) => {
      const done = Promise.resolve(task(payload, helpers));
      underWay.add(done);
      await done.finally(() => underWay.delete(done));
    };
  const all = Object.entries(tasks as Record<string, Task>);
  return Object.fromEntries(all.map(([name, task]) => [name, watch(task)]));
}

const crontab = [
  "* * * * * reconcile ?max=1&jobKey=reconcile",
  "* * * * * freeLostJobs ?max=1&jobKey=freeLostJobs",
  "17 * * * * cleanUp ?max=3",
].join("\n");

/** Otherwise a file called crontab is looked for. */
const noCrontab = { parsedCronItems: [] };

function runnerOptions(pool: pg.Pool, log: FastifyBaseLogger): RunnerOptions {
  return {
    pgPool: pool,
    noHandleSignals: true,
    // Batched, a write that fails is an error of the runner's; otherwise it would end the process.
    preset: {
      worker: { pollInterval: 1_000, completeJobBatchDelay: 0, failJobBatchDelay: 0 },
    },
    logger: new Logger(() => (level, message) => {
      if (level === "error") log.error(message);
      else if (level === "warning") log.warn(message);
    }),
  };
}

/**
 * Rejects once a runner can't write down how a job ended, and gives up. Its own promise may never say so:
 * where jobs on every one of its hands end after that, it miscounts them and waits for one more (Graphile Worker 0.18).
 */
function givesUp({ events }: Runner): Promise<never> {
  const gaveUp = once(events, "pool:fatalError").then(([{ error }]) => Promise.reject(error));
  // Not unheard of, where nobody waits for it any more.
  gaveUp.catch(() => {});
  return gaveUp;
}

/** What a crash left between the provider's success and our record is mended at once. */
async function startRunner(options: RunnerOptions) {
  const runner = await run(options);
  const gaveUp = givesUp(runner);
  try {
    if (options.taskList?.reconcile)
      await runner.addJob("reconcile", {}, { jobKey: "reconcile", maxAttempts: 1 });
    return { runner, gaveUp };
  } catch (error) {
    // Nobody would stop it, and another one is started in its place.
    await runner.stop().catch(() => {});
    throw error;
  }
}
