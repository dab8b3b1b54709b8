import { sql } from "kysely";
import { type Tx, transact } from "../../db/database.ts";
import { mayTakeHours } from "../../db/pipelined-transactions.ts";
import type { Deps } from "../../deps.ts";

/** Months that have a partition before they begin. */
const monthsAhead = 3;
/** So long calls on the audit log may wait behind a change of its partitions; then it is given up until the next run. */
const lockTimeout = "2s";
/** The check of a filled default partition ends with its end. */
const checkPrefix = "audit_log_until_";

type Partition = { name: string; end: Date };

/**
 * Job `keepAuditLog`, daily: creates the partitions of the next months and, if `AUDIT_LOG_YEARS` is set, drops those
 * that ended so many years ago (decision 0114). Rows that came while the job did not run are in the default
 * partition, which then becomes the partition of their time.
 */
export async function keepAuditLog({ db, clock, config }: Deps): Promise<void> {
  const now = clock.now();
  // Before any partition is created, for which PostgreSQL would read all of a filled one while writes wait.
  await nameFilledDefault(db, now);
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

/**
 * Makes a default partition with rows the partition of their time. They are read in transactions that block nobody,
 * as in migrations 0401 and 0402; the last one only changes the catalog.
 */
async function nameFilledDefault(db: Tx, now: Date): Promise<void> {
  const last = await transact(db, "readDefaultPartition", lastMissed);
  if (!last) return;
  // A month ahead at least, so that rows written meanwhile pass the check. A later run replaces it.
  const to = monthsAfter(last > now ? last : now, 2);
  const check = `${checkPrefix}${to.toISOString().slice(0, 10)}`;
  await transact(db, "checkDefaultPartition", (tx) => addCheck(tx, check, to));
  await transact(db, "validateDefaultPartition", (tx) => validate(tx, check));
  await transact(db, "nameDefaultPartition", (tx) => nameDefault(tx, check, to));
}

async function lastMissed(tx: Tx): Promise<Date | null> {
  await allowLong(tx);
  const { rows } = await sql<{ last: Date | null }>`
    select max(at) as last from audit_log_default ${sql.raw(mayTakeHours)}`.execute(tx);
  return rows[0]?.last ?? null;
}

/** The check in the name is kept, which a run that failed may have validated; one of an earlier month is not. */
async function addCheck(tx: Tx, name: string, to: Date): Promise<void> {
  const { rows } = await sql<{ name: string }>`select conname as name from pg_constraint
    where conrelid = 'audit_log_default'::regclass and starts_with(conname, ${checkPrefix})`.execute(
    tx,
  );
  if (rows.some((one) => one.name === name)) return;
  await limitWaiting(tx);
  for (const one of rows)
    await sql`alter table audit_log_default drop constraint ${sql.id(one.name)}`.execute(tx);
  const [first, end] = [sql.lit((await lastEnd(tx)).toISOString()), sql.lit(to.toISOString())];
  await sql`alter table audit_log_default add constraint ${sql.id(name)}
    check (at >= ${first} and at < ${end}) not valid`.execute(tx);
}

async function validate(tx: Tx, name: string): Promise<void> {
  await limitWaiting(tx);
  await allowLong(tx);
  const check = sql.id(name);
  await sql`alter table audit_log_default validate constraint ${check} ${sql.raw(mayTakeHours)}`.execute(
    tx,
  );
}

async function nameDefault(tx: Tx, check: string, to: Date): Promise<void> {
  await limitWaiting(tx);
  const from = await lastEnd(tx);
  const name = nameOf(from);
  // The new partition's foreign key locks members, and other transactions write the audit log after them.
  await sql`lock table members in share row exclusive mode`.execute(tx);
  await sql`alter table audit_log detach partition audit_log_default`.execute(tx);
  await sql`alter table audit_log_default rename to ${sql.table(name)}`.execute(tx);
  await attach(tx, { name, from, to });
  await sql`alter table ${sql.table(name)} drop constraint ${sql.id(check)}`.execute(tx);
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

/** For statements that read a whole partition and block nobody. */
async function allowLong(tx: Tx): Promise<void> {
  await sql`set local statement_timeout = 0`.execute(tx);
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
