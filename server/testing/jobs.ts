import { sql } from "kysely";
import type { Tx } from "../db/database.ts";
import type { JobName } from "../jobs/job-queue.ts";

/** Adds a job that has no attempts left. */
export async function giveUp<N extends JobName>(
  tx: Tx,
  task: N,
  payload: GraphileWorker.Tasks[N],
): Promise<void> {
  const added = await sql<{ id: string }>`
    select id from graphile_worker.add_job(${task}, ${JSON.stringify(payload)}::json)`.execute(tx);
  await sql`update graphile_worker._private_jobs set attempts = max_attempts
    where id = ${added.rows[0]?.id}`.execute(tx);
}
