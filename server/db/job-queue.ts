import { sql } from "kysely";
import { addPendingJobs, committedJobs } from "./committed-changes.ts";
import type { Tx } from "./database.ts";
import { currentRequestId } from "./request-id.ts";

/** Maximum attempts at a failing job, such as sending an email. They span about four days. */
const maxAttempts = 25;

/** The name of a job. `server/all-jobs.ts` declares the payload of each job. */
export type JobName = keyof GraphileWorker.Tasks & string;

/**
 * Enqueues a job in the transaction. The job runs after the commit or at `runAt`, and never after a
 * rollback. A failed job is tried `maxAttempts` times.
 */
export async function enqueue<N extends JobName>(
  tx: Tx,
  name: N,
  job: { payload: GraphileWorker.Tasks[N]; runAt?: Date },
): Promise<void> {
  await insertJob(tx, name, job).execute();
  if (!tx.isTransaction) committedJobs.publish({});
}

/** Builds `enqueue`'s insert, so that it can run in one statement with other inserts. */
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

/** Jobs with this priority run after all other jobs that are due. */
export const lastPriority = 10;

const batchSize = 500;

/**
 * Moves committed jobs to Graphile Worker, oldest first. One statement moves them, so each job
 * moves exactly once. Jobs named in `last` run after all other due jobs. Returns whether there may
 * be more jobs.
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
