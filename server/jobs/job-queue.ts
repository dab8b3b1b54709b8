import { sql } from "kysely";
import { addPendingJobs, committedJobs } from "../db/committed-changes.ts";
import type { Tx } from "../db/database.ts";
import { currentRequestId } from "../db/request-id.ts";

/** Retries wait e, e², e³ … seconds, up to six hours, so these attempts span about four days. */
const maxAttempts = 25;

/** `server/all-jobs.ts` declares the payload of each job. */
export type JobName = keyof GraphileWorker.Tasks & string;

/** Adds a job. It runs after the commit or at `runAt`, up to `maxAttempts` times. */
export async function enqueue<N extends JobName>(
  tx: Tx,
  name: N,
  job: { payload: GraphileWorker.Tasks[N]; runAt?: Date },
): Promise<void> {
  await insertJob(tx, name, job).execute();
  if (!tx.isTransaction) committedJobs.publish({});
}

/** `enqueue`'s insert, which can share one statement with other inserts. */
export function insertJob<N extends JobName>(
  tx: Tx,
  name: N,
  { payload, runAt }: { payload: GraphileWorker.Tasks[N]; runAt?: Date },
) {
  addPendingJobs(tx);
  const carried = { ...payload, requestId: currentRequestId() };
  const job = { task: name, payload: JSON.stringify(carried), ...(runAt && { run_at: runAt }) };
  return tx.insertInto("job_outbox").values(job);
}

/** The priority of jobs that run after all other due jobs. */
export const lastPriority = 10;

const batchSize = 500;

/**
 * Moves jobs to Graphile Worker, oldest first, in one statement, so each moves exactly once. Jobs
 * named in `last` run after all other due jobs. Returns whether there may be more jobs.
 */
export async function forwardJobs(tx: Tx, last: string[] = []): Promise<boolean> {
  const { rows } = await sql`
    with batch as (
      delete from job_outbox where id in (
        select id from job_outbox order by id limit ${sql.lit(batchSize)} for update skip locked
      )
      returning id, task, payload, run_at
    ), jobs as (
      select array_agg(
        (task, payload, null, run_at, ${sql.lit(maxAttempts)}, null, case when task = any(${last}) then ${sql.lit(lastPriority)} else 0 end, null)::graphile_worker.job_spec order by id
      ) as specs
      from batch having count(*) > 0
    )
    select added.id from jobs, lateral graphile_worker.add_jobs(specs) as added`.execute(tx);
  return rows.length === batchSize;
}
