import { EventEmitter, once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import type { FastifyBaseLogger } from "fastify";
import { type Runner, type RunnerOptions, run, type WorkerEvents } from "graphile-worker";
import { sql } from "kysely";
import type { Tx } from "../db/database.ts";

const aliveIntervalMs = 15_000;

export type JobRunner = { stop(): Promise<void> };

/**
 * Starts a Graphile Worker runner. A new runner replaces one that gives up because it can't store a
 * job's result, or can't tell whether it has locked a job.
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
    while (!stopping.signal.aborted) {
      await Promise.race([runner.promise, gaveUp]).catch((error: unknown) =>
        log.warn({ err: error }, "job runner ended"),
      );
      // Stops the old runner's cron timer.
      void runner.stop().catch(() => {});
      ({ runner, gaveUp } = await startAnother());
    }
  }

  /** Retries until PostgreSQL answers. Returns the previous runner if `stop` is called first. */
  async function startAnother() {
    while (!stopping.signal.aborted) {
      await wait(500, undefined, { ref: false });
      const another = await startRunner(db, options).catch(() => undefined);
      if (another) return another;
    }
    return { runner, gaveUp };
  }

  return {
    async stop() {
      stopping.abort();
      // `runner.stop` rejects if the runner has already ended by itself.
      const end = () => Promise.race([runner.stop(), gaveUp]).catch(() => {});
      await end();
      await replacing;
      // Another runner may have started while this code stopped the first one.
      await end();
    },
  };
}

/** Starts a runner, and queues its task `reconcile`, if any, to repair the effects of a crash. */
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

/** Records that the runner is alive. After a minute without a record, others may run its jobs. */
function recordWhileAlive(db: Tx, events: WorkerEvents): void {
  events.once("pool:create", ({ workerPool: { id } }) => {
    const record = () => void recordJobRunner(db, id).catch(() => {});
    record();
    const timer = setInterval(record, aliveIntervalMs).unref();
    events.once("pool:release", () => clearInterval(timer));
    // After a fatal error, `pool:release` may never be emitted.
    events.once("pool:fatalError", () => clearInterval(timer));
  });
}

/**
 * Rejects if the runner can't store a job's result, or loses its connection while fetching a job,
 * which it may have locked. The runner's own promise may never settle: after a failed store,
 * Graphile Worker 0.18 waits for one job too many.
 */
function rejectOnGivingUp({ events }: Runner): Promise<never> {
  const reject = async (name: "pool:fatalError" | "worker:getJob:error") => {
    const [{ error }] = await once(events, name);
    throw error;
  };
  const gaveUp = Promise.race([reject("pool:fatalError"), reject("worker:getJob:error")]);
  // Prevents an unhandled rejection if no code awaits `gaveUp` anymore.
  gaveUp.catch(() => {});
  return gaveUp;
}

async function recordJobRunner(tx: Tx, id: string): Promise<void> {
  await sql`
    insert into job_runners (id, seen_at) values (${id}, now())
    on conflict (id) do update set seen_at = now()`.execute(tx);
}

/** Frees jobs of runners not seen for a minute. Graphile Worker itself would wait four hours. */
export async function freeLostJobs(tx: Tx): Promise<void> {
  await sql`
    select graphile_worker.force_unlock_workers(array(
      select distinct locked_by from graphile_worker.jobs left join job_runners on job_runners.id = locked_by
      where locked_at < now() - interval '1 minute'
        and coalesce(seen_at, locked_at) < now() - interval '1 minute'
    ))`.execute(tx);
  await sql`delete from job_runners where seen_at < now() - interval '1 day'`.execute(tx);
}
