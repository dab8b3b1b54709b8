import { sql } from "kysely";
import type { Tx } from "../db/database.ts";

export type WaitingJobs = {
  task: string;
  due: number;
  dueSeconds: number;
  retried: number;
  retriedSeconds: number;
  givenUp: number;
};

/** The whole shop's pending work, which is the same on every node. */
export type ShopState = {
  jobs: WaitingJobs[];
  holds: number;
  /** Unpaid holds that expired over five minutes ago. */
  overdueHolds: number;
  refundsSentBack: number;
  ledgerDifferences: number;
  /** Seconds since the ledger was last compared with the provider; null if it never was. */
  comparedSecondsAgo: number | null;
  /** Before the first comparison, since the first payment (null if none) or later installation. */
  uncomparedSeconds: number | null;
  backedUpSecondsAgo: number | null;
  /** Seconds since the last backup or, before the first, since the installation. */
  withoutBackupSeconds: number;
};

const overdueMs = 5 * 60_000;

/** Reads counts from indexes. Only short tables are read in full: jobs and ledger differences. */
export async function readShopState(tx: Tx, now: Date): Promise<ShopState> {
  const { rows } = await sql<Omit<ShopState, "jobs">>`
    select
      (select count(*) from bookings where state = 'held')::integer as holds,
      (select count(*) from bookings where state = 'held'
        and held_until < ${new Date(now.getTime() - overdueMs)})::integer as "overdueHolds",
      (select count(*) from payments
        where owed_since is not null and given_up_at is null and retry_at is not null
          -- No refund is retried while a bank decides a dispute.
          and not exists (select from disputes where payment_id = payments.id and disputes.state = 'open')
        )::integer as "refundsSentBack",
      (select count(*) from ledger_differences)::integer as "ledgerDifferences",
      (select extract(epoch from ${now}::timestamptz - at)::float8 from ledger_reconciliation)
        as "comparedSecondsAgo",
      extract(epoch from ${now}::timestamptz - coalesce(
        (select at from ledger_reconciliation),
        (select greatest(recorded_at, (select min(applied_at) from migrations))
          from payments order by recorded_at limit 1)))::float8 as "uncomparedSeconds",
      (select extract(epoch from ${now}::timestamptz - backed_up_at)::float8 from backup_status)
        as "backedUpSecondsAgo",
      extract(epoch from ${now}::timestamptz - coalesce(
        (select backed_up_at from backup_status),
        (select min(applied_at) from migrations)))::float8 as "withoutBackupSeconds"`.execute(tx);
  const [counts] = rows;
  if (!counts) throw new Error("PostgreSQL returned no counts.");
  return { ...counts, jobs: await readWaitingJobs(tx) };
}

/** Uses PostgreSQL's clock, which also schedules jobs. `attempts` includes the current run. */
async function readWaitingJobs(tx: Tx): Promise<WaitingJobs[]> {
  const { rows } = await sql<WaitingJobs>`
    select task,
      count(*) filter (where is_due)::integer as due,
      coalesce(max(due_seconds) filter (where is_due), 0)::float8 as "dueSeconds",
      count(*) filter (where is_retried)::integer as retried,
      coalesce(max(seconds) filter (where is_retried), 0)::float8 as "retriedSeconds",
      count(*) filter (where is_given_up)::integer as "givenUp"
    from (
      select task_identifier as task,
        run_at <= now() and attempts < max_attempts and locked_at is null as is_due,
        case when locked_at is null then attempts between 1 and max_attempts - 1
          else attempts > 1 end as is_retried,
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
