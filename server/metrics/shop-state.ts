import { sql } from "kysely";
import type { Tx } from "../db/database.ts";

/** The jobs of one task. Ages in seconds. */
export type WaitingJobs = {
  task: string;
  due: number;
  oldestSeconds: number;
  retried: number;
  retriedSeconds: number;
  givenUp: number;
};

/** What waits in the whole shop, the same on every node. */
export type ShopState = {
  jobs: WaitingJobs[];
  holds: number;
  /** Unpaid holds whose time was over five minutes ago. */
  overdueHolds: number;
  /** Refunds that were sent back and are tried again. */
  retriedRefunds: number;
  ledgerDifferences: number;
  /** Since the ledger was last compared with the provider; null: never, as in a shop without payments. */
  comparedSecondsAgo: number | null;
};

const overdueMs = 5 * 60_000;

/** Reads counts by indexes, and whole tables only where they are short: jobs, and differences of the ledger. */
export async function readShopState(tx: Tx, now: Date): Promise<ShopState> {
  const { rows } = await sql<Omit<ShopState, "jobs">>`
    select
      (select count(*) from bookings where state = 'held')::integer as holds,
      (select count(*) from bookings where state = 'held'
        and held_until < ${new Date(now.getTime() - overdueMs)})::integer as "overdueHolds",
      (select count(*) from payments where state = 'refund_due' and failed_refunds > 0)::integer
        as "retriedRefunds",
      (select count(*) from ledger_differences)::integer as "ledgerDifferences",
      (select extract(epoch from ${now}::timestamptz - at)::float8 from ledger_reconciliation)
        as "comparedSecondsAgo"`.execute(tx);
  const [counts] = rows;
  if (!counts) throw new Error("PostgreSQL returned no counts.");
  return { ...counts, jobs: await readWaitingJobs(tx) };
}

/** By PostgreSQL's clock, by which jobs run. */
async function readWaitingJobs(tx: Tx): Promise<WaitingJobs[]> {
  const { rows } = await sql<WaitingJobs>`
    select task,
      count(*) filter (where is_due)::integer as due,
      coalesce(max(due_seconds) filter (where is_due), 0)::float8 as "oldestSeconds",
      count(*) filter (where is_retried)::integer as retried,
      coalesce(max(seconds) filter (where is_retried), 0)::float8 as "retriedSeconds",
      count(*) filter (where is_given_up)::integer as "givenUp"
    from (
      select task_identifier as task,
        run_at <= now() and attempts < max_attempts and locked_at is null as is_due,
        attempts > 0 and attempts < max_attempts as is_retried,
        attempts >= max_attempts and locked_at is null as is_given_up,
        extract(epoch from now() - run_at) as due_seconds,
        extract(epoch from now() - created_at) as seconds
      from graphile_worker.jobs
      union all
      select task, run_at <= now(), false, false, extract(epoch from now() - run_at), 0
      from job_outbox
    ) as jobs
    group by task order by task`.execute(tx);
  return rows;
}
