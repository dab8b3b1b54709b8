import { sql } from "kysely";
import type { Tx } from "../db/database.ts";
import { defineJobs, everyMinute } from "./define-jobs.ts";

/**
 * Records that a job runner is alive. For the next minute, no other process runs the jobs that this
 * runner has locked.
 */
export async function recordJobRunner(tx: Tx, id: string): Promise<void> {
  await sql`
    insert into job_runners (id, seen_at) values (${id}, now())
    on conflict (id) do update set seen_at = now()`.execute(tx);
}

/**
 * Unlocks the jobs of runners that have not been seen for a minute, so that other runners run them.
 * Graphile Worker itself waits four hours.
 */
export async function freeLostJobs(tx: Tx): Promise<void> {
  await sql`
    select graphile_worker.force_unlock_workers(array(
      select distinct locked_by from graphile_worker.jobs left join job_runners on job_runners.id = locked_by
      where locked_at < now() - interval '1 minute'
        and coalesce(seen_at, locked_at) < now() - interval '1 minute'
    ))`.execute(tx);
  await sql`delete from job_runners where seen_at < now() - interval '1 day'`.execute(tx);
}

export const lostJobs = defineJobs({
  freeLostJobs: { run: ({ db }) => freeLostJobs(db), schedule: everyMinute },
});
