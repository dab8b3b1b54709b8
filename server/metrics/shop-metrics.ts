import { sql } from "kysely";
import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import { readRow, type Tx } from "../db/database.ts";

export function measureShop(registry: Registry): (state: ShopState) => void {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry] });
  const gauges = {
    holds: gauge("secondlap_holds", "Unpaid holds of the shop"),
    overdueHolds: gauge(
      "secondlap_holds_overdue",
      "Unpaid holds of the shop whose time was over five minutes ago",
    ),
    refundsSentBack: gauge(
      "secondlap_refunds_retried",
      "Refunds of the shop, also of parts, that a bank has sent back and that are tried again",
    ),
    ledgerDifferences: gauge(
      "secondlap_ledger_differences",
      "Differences between the ledger and the card provider",
    ),
    uncomparedSeconds: gauge(
      "secondlap_ledger_compared_seconds",
      "Since the ledger was last compared with the card provider; if never, since the first payment or the installation, the later; 0 without payments",
    ),
    withoutBackupSeconds: gauge(
      "secondlap_backup_age_seconds",
      "Since the shop was last backed up; if never, since it was installed",
    ),
  };
  return (state) => {
    for (const name of Object.keys(gauges) as (keyof typeof gauges)[])
      gauges[name].set(state[name] ?? 0);
  };
}

type JobRun = { task: string; outcome: "done" | "failed"; seconds: number };

/** This node's finished jobs, and the waiting jobs of the whole shop. */
export function createJobMetrics(registry: Registry) {
  const registers = [registry];
  const runs = new Counter({
    name: "secondlap_jobs_run_total",
    help: "Jobs that this node has run, by task and outcome: done or failed",
    labelNames: ["task", "outcome"],
    registers,
  });
  const times = new Histogram({
    name: "secondlap_job_seconds",
    help: "How long jobs ran, by task",
    labelNames: ["task"],
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60],
    registers,
  });
  const gauge = (name: string, help: string) =>
    new Gauge({ name, help, labelNames: ["task"], registers });
  const gauges: Record<keyof Omit<WaitingJobs, "task">, Gauge<"task">> = {
    due: gauge("secondlap_jobs_due", "Jobs of the shop whose time has come, by task"),
    dueSeconds: gauge(
      "secondlap_job_due_seconds",
      "How long the oldest due job of the shop has waited for its turn, by task",
    ),
    retried: gauge(
      "secondlap_jobs_retried",
      "Jobs of the shop that have failed and will be tried again, by task",
    ),
    retriedSeconds: gauge(
      "secondlap_job_retried_seconds",
      "How long ago the oldest job of the shop that is tried again was enqueued, by task",
    ),
    givenUp: gauge(
      "secondlap_jobs_given_up",
      "Jobs of the shop that failed so often that they are not tried again, by task",
    ),
  };
  return {
    ran({ task, outcome, seconds }: JobRun): void {
      runs.inc({ task, outcome });
      times.observe({ task }, seconds);
    },
    setWaiting(tasks: WaitingJobs[]): void {
      for (const [name, gauge] of Object.entries(gauges)) {
        gauge.reset();
        for (const { task, ...values } of tasks)
          gauge.set({ task }, values[name as keyof typeof values]);
      }
    },
  };
}

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
  /** Holds that should have ended over five minutes ago. */
  overdueHolds: number;
  refundsSentBack: number;
  ledgerDifferences: number;
  /** Seconds since the ledger was last compared with the provider; null if it never was. */
  comparedSecondsAgo: number | null;
  /**
   * Seconds since the last comparison. Before the first comparison: since the first payment or the
   * installation, whichever is later; null without payments.
   */
  uncomparedSeconds: number | null;
  backedUpSecondsAgo: number | null;
  /** Seconds since the last backup or, before the first, since the installation. */
  withoutBackupSeconds: number;
};

const overdueMs = 5 * 60_000;

/** Reads counts from indexes. Only short tables are read in full, such as ledger differences. */
export async function readShopState(tx: Tx, now: Date): Promise<ShopState> {
  const counts = sql<Omit<ShopState, "jobs">>`
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
        (select min(applied_at) from migrations)))::float8 as "withoutBackupSeconds"`;
  return { ...(await readRow(tx, counts)), jobs: await readWaitingJobs(tx) };
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
