import { sql } from "kysely";
import type { Tx } from "../../db/database.ts";

/** Retries jobs that have used up their attempts. Returns their number. */
export async function retryJobs(tx: Tx): Promise<number> {
  const { rows } = await sql`
    select id from graphile_worker.reschedule_jobs(
      array(
        select id from graphile_worker.jobs where attempts >= max_attempts and locked_at is null
      ),
      run_at => now(),
      attempts => 0
    )`.execute(tx);
  return rows.length;
}
