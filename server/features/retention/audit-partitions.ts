import { sql } from "kysely";
import { type Tx, transact } from "../../db/database.ts";
import type { Deps } from "../../deps.ts";

/** Months that have a partition before they begin. */
const monthsAhead = 3;
/** So long calls on the audit log may wait behind a change of its partitions; then it is given up until the next run. */
const lockTimeout = "2s";

type Partition = { name: string; end: Date };

/**
 * Job `keepAuditLog`, daily: creates the partitions of the next months and, if `AUDIT_LOG_YEARS` is set, drops those
 * that ended so many years ago (decision 0114). Rows that came while the job did not run are in the default
 * partition, which then becomes the partition of their time.
 */
export async function keepAuditLog({ db, clock, config }: Deps): Promise<void> {
  const now = clock.now();
  await transact(db, "nameDefaultPartition", nameDefaultPartition);
  await transact(db, "createAuditPartitions", (tx) => createPartitions(tx, now));
  const { auditLogYears: years } = config;
  if (years !== undefined)
    await transact(db, "dropAuditPartitions", (tx) =>
      dropPartitions(tx, monthsAfter(now, -12 * years)),
    );
}

async function createPartitions(tx: Tx, now: Date): Promise<void> {
  const wanted = monthsAfter(now, monthsAhead + 1);
  for (let from = await lastEnd(tx); from < wanted; from = monthsAfter(from, 1)) {
    await limitWaiting(tx);
    const name = sql.table(nameOf(from));
    await sql`create table ${name} (like audit_log including all excluding identity)`.execute(tx);
    await forbidTruncate(tx, nameOf(from));
    await attach(tx, { name: nameOf(from), from, to: monthsAfter(from, 1) });
  }
}

/** Only while no partition is missing is the default partition empty, and another one can be attached. */
async function nameDefaultPartition(tx: Tx): Promise<void> {
  const { rows } = await sql<{
    last: Date | null;
  }>`select max(at) as last from audit_log_default`.execute(tx);
  const last = rows[0]?.last;
  if (!last) return;
  await limitWaiting(tx);
  const from = await lastEnd(tx);
  await sql`alter table audit_log detach partition audit_log_default`.execute(tx);
  await sql`alter table audit_log_default rename to ${sql.table(nameOf(from))}`.execute(tx);
  await attach(tx, { name: nameOf(from), from, to: monthsAfter(last, 1) });
  await sql`create table audit_log_default partition of audit_log default`.execute(tx);
  await forbidTruncate(tx, "audit_log_default");
}

async function dropPartitions(tx: Tx, before: Date): Promise<void> {
  const old = (await readPartitions(tx)).filter(({ end }) => end <= before);
  if (old.length > 0) await limitWaiting(tx);
  for (const { name } of old) await sql`drop table ${sql.table(name)}`.execute(tx);
}

async function attach(tx: Tx, { name, from, to }: { name: string; from: Date; to: Date }) {
  const [first, end] = [sql.lit(from.toISOString()), sql.lit(to.toISOString())];
  await sql`alter table audit_log attach partition ${sql.table(name)} for values from (${first}) to (${end})`.execute(
    tx,
  );
}

/** PostgreSQL gives a partition the trigger of rows that the whole has, but not that of TRUNCATE. */
async function forbidTruncate(tx: Tx, name: string): Promise<void> {
  await sql`create trigger audit_log_forbid_truncate before truncate on ${sql.table(name)}
    for each statement execute function forbid_audit_log_change()`.execute(tx);
}

async function limitWaiting(tx: Tx): Promise<void> {
  await sql`select set_config('lock_timeout', ${lockTimeout}, true)`.execute(tx);
}

/** Where the partitions end; those of single months follow each other without a gap. */
async function lastEnd(tx: Tx): Promise<Date> {
  const ends = (await readPartitions(tx)).map(({ end }) => end.getTime());
  return new Date(Math.max(...ends));
}

/** All but the default partition, which has no end. */
async function readPartitions(tx: Tx): Promise<Partition[]> {
  const { rows } = await sql<Partition>`
    select name, upper_bound::timestamptz as "end" from (
      select relname as name, substring(pg_get_expr(relpartbound, oid) from 'TO \\(''([^'']+)''\\)') as upper_bound
      from pg_class where oid in (select inhrelid from pg_inherits where inhparent = 'audit_log'::regclass)
    ) as partitions where upper_bound is not null`.execute(tx);
  return rows;
}

/** Such as `audit_log_2027_01`. */
function nameOf(from: Date): string {
  return `audit_log_${from.toISOString().slice(0, 7).replace("-", "_")}`;
}

/** The beginning of the month so many months later, in UTC. */
function monthsAfter(date: Date, months: number): Date {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months));
}
