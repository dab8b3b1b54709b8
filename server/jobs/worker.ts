import { setTimeout as wait } from "node:timers/promises";
import { SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import type { FastifyBaseLogger } from "fastify";
import { Logger, type RunnerOptions, type Task } from "graphile-worker";
import type pg from "pg";
import { committedJobs, followCommits } from "../db/committed-changes.ts";
import { openDatabase, type Tx } from "../db/database.ts";
import { withRequestId } from "../db/request-id.ts";
import type { Deps } from "../deps.ts";
import type { Jobs } from "./define-jobs.ts";
import { forwardJobs, lastPriority } from "./job-queue.ts";
import { type JobRunner, startJobRunner } from "./job-runner.ts";

type WorkerOptions = {
  jobs: Jobs;
  log: FastifyBaseLogger;
  /** Whether to queue scheduled jobs. */
  cron?: boolean;
  /** How long a shutdown waits for running jobs. */
  timeoutMs?: number;
};

/** Each kind of `oneAtATime` job has its own runner. */
export async function startWorker(
  deps: Deps,
  pool: pg.Pool,
  { jobs, log, cron = true, timeoutMs = 10_000 }: WorkerOptions,
): Promise<JobRunner> {
  const running = new Set<Promise<unknown>>();
  const tasks = tracked(jobs, { deps, running, log });
  const jobPool = openJobPool(deps.config.databaseDirectUrl ?? pool.options.connectionString);
  const start = async (names: string[], options: Partial<RunnerOptions>) => {
    const taskList = Object.fromEntries(names.map((name) => [name, tasks[name] as Task]));
    const common = runnerOptions(jobPool, log);
    return await startJobRunner(deps.db, { ...common, taskList, ...options }, log);
  };
  const alone = namesOf(jobs, "oneAtATime");
  const others = Object.keys(jobs).filter((name) => !alone.includes(name));
  const items = cron ? { crontab: crontabOf(jobs) } : noCron;
  const runners = await Promise.all([
    start(others, { concurrency: 4, ...items }),
    ...alone.map((name) => start([name], { concurrency: 1, ...noCron })),
  ]);
  const stopOutbox = startJobOutbox(deps.db, { last: namesOf(jobs, "callsProvider"), log });
  return {
    async stop() {
      const stopped = Promise.all(runners.map((runner) => runner.stop()));
      // A runner that gave up doesn't wait for its jobs, which need the pools that close next.
      const ended = stopped.then(() => Promise.allSettled(running));
      await Promise.race([ended, wait(timeoutMs, undefined, { ref: false })]);
      // The outbox stops last, because a running job may enqueue other jobs.
      await stopOutbox();
      await jobPool.end();
    },
  };
}

/**
 * Commits don't wait for the disk: if a crash loses a job's completion, the job runs again. The
 * connections bypass a pooler, because they LISTEN and set a session parameter.
 */
function openJobPool(url = ""): pg.Pool {
  const { pool } = openDatabase(url, { connections: 8 });
  pool.on("connect", (client) => {
    client.query("set synchronous_commit = off").catch(() => {});
  });
  return pool;
}

/** The job key lets each run replace the previous one, even if the previous one was given up. */
export function crontabOf(jobs: Jobs): string {
  const lines = Object.entries(jobs).flatMap(([name, { schedule, callsProvider }]) => {
    if (!schedule) return [];
    const priority = callsProvider ? lastPriority : 0;
    return `${schedule.at} ${name} ?max=${schedule.attempts}&jobKey=${name}&priority=${priority}`;
  });
  return lines.join("\n");
}

function namesOf(jobs: Jobs, quality: "callsProvider" | "oneAtATime"): string[] {
  return Object.keys(jobs).filter((name) => jobs[name]?.[quality]);
}

type CarriedId = { requestId?: string };

type Tracking = { deps: Deps; running: Set<Promise<unknown>>; log: FastifyBaseLogger };

/** Measures tasks, and logs them with the id of the request that enqueued them. */
function tracked(jobs: Jobs, { deps, running, log }: Tracking): Record<string, Task> {
  const track =
    (name: string, { run }: Jobs[string]): Task =>
    async (carried, helpers) => {
      const { requestId = `job-${helpers.job.id}`, ...payload } = carried as CarriedId;
      const began = performance.now();
      const ended = (outcome: "done" | "failed") => {
        const seconds = (performance.now() - began) / 1_000;
        deps.metrics.jobs.ran({ task: name, outcome, seconds });
        log.info({ reqId: requestId, task: name, outcome, seconds }, "job run");
      };
      const done = withRequestId(requestId, () =>
        inJobSpan({ name, requestId }, async () => await run(deps, payload)),
      );
      running.add(done);
      done.then(
        () => ended("done"),
        () => ended("failed"),
      );
      await done.finally(() => running.delete(done));
    };
  return Object.fromEntries(Object.entries(jobs).map(([name, job]) => [name, track(name, job)]));
}

/** Starts a new trace, because the request that enqueued the job has ended. */
function inJobSpan<T>(
  { name, requestId }: { name: string; requestId: string },
  work: () => Promise<T>,
): Promise<T> {
  const attributes = { "secondlap.request_id": requestId };
  const options = { kind: SpanKind.CONSUMER, attributes };
  return trace.getTracer("secondlap").startActiveSpan(`job ${name}`, options, async (span) => {
    try {
      return await work();
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Without `parsedCronItems`, Graphile Worker looks for a file called crontab. */
const noCron = { parsedCronItems: [] };

function runnerOptions(pool: pg.Pool, log: FastifyBaseLogger): RunnerOptions {
  return {
    pgPool: pool,
    noHandleSignals: true,
    // With batches, a failed write of a job's result ends the runner, not the process.
    preset: {
      worker: { pollInterval: 1_000, completeJobBatchDelay: 0, failJobBatchDelay: 0 },
    },
    logger: new Logger(() => (level, message) => {
      if (level === "error") log.error(message);
      else if (level === "warning") log.warn(message);
    }),
  };
}

/** Polling finds jobs that another node committed before it crashed. */
const pollMs = 1_000;

/**
 * Forwards jobs outside of request transactions, where NOTIFY would make concurrent commits wait
 * for each other (decisions/jobs-and-mail). `last`: see `forwardJobs`.
 */
function startJobOutbox(
  db: Tx,
  { last, log }: { last: string[]; log: FastifyBaseLogger },
): () => Promise<void> {
  const forwardAll = async () => {
    while (await forwardJobs(db, last));
  };
  const forwarding = followCommits(
    committedJobs,
    () => forwardAll().catch((error: unknown) => log.warn({ err: error }, "jobs not forwarded")),
    pollMs,
  );
  void forwarding.run();
  return async () => {
    forwarding.stop();
    // If this attempt fails, another node or the next start forwards the remaining jobs.
    await forwarding.run();
  };
}
