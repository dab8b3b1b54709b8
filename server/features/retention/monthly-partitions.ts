import { type RawBuilder, sql } from "kysely";
import { type Tx, transact } from "../../db/database.ts";
import { mayTakeHours } from "../../db/prepared-statements.ts";
import type { Deps } from "../../deps.ts";

const monthsAhead = 3;
/** Maximum wait for a lock. Other queries queue behind a waiting statement. The job retries. */
const lockTimeout = "2s";
/** Enough to compare a month with the same month a year earlier. The weekly sums stay. */
const viewsMonths = 13;

type Partition = { name: string; end: Date };

/** A table with monthly partitions and a default partition (decisions/audit-log). */
type MonthlyTable = {
  name: string;
  /** The partition key. `time`: the key as a timestamp. */
  column: string;
  time: RawBuilder<Date>;
  /** The table that the foreign key references. Attaching a partition locks this table too. */
  references: string;
  complete?: (tx: Tx, partition: string) => Promise<void>;
};

const auditLog: MonthlyTable = {
  name: "audit_log",
  column: "at",
  time: sql`at`,
  references: "members",
  complete: forbidTruncate,
};

const productViews: MonthlyTable = {
  name: "product_views",
  column: "day",
  time: sql`day::timestamp at time zone 'UTC'`,
  references: "products",
};

/** Job `keepAuditLog`, daily. Drops old partitions only if `AUDIT_LOG_YEARS` is set. */
export async function keepAuditLog(deps: Deps): Promise<void> {
  const { auditLogYears: years } = deps.config;
  await keepPartitions(deps, auditLog, years === undefined ? undefined : 12 * years);
}

export async function keepProductViews(deps: Deps): Promise<void> {
  await keepPartitions(deps, productViews, viewsMonths);
}

async function keepPartitions(
  { db, clock }: Deps,
  table: MonthlyTable,
  keptMonths: number | undefined,
): Promise<void> {
  const now = clock.now();
  // Must come first: otherwise PostgreSQL scans the filled default partition while writes wait.
  await nameFilledDefault(db, table, now);
  await transact(db, "createPartitions", (tx) => createPartitions(tx, table, now));
  if (keptMonths !== undefined)
    await transact(db, "dropPartitions", (tx) =>
      dropPartitions(tx, table, monthsAfter(now, -keptMonths)),
    );
}

async function createPartitions(tx: Tx, table: MonthlyTable, now: Date): Promise<void> {
  const wanted = monthsAfter(now, monthsAhead + 1);
  for (let from = await lastEnd(tx, table); from < wanted; from = monthsAfter(from, 1)) {
    await limitWaiting(tx);
    await sql`lock table ${sql.table(table.references)} in share row exclusive mode`.execute(tx);
    const name = nameOf(table, from);
    await sql`create table ${sql.table(name)} (like ${sql.table(table.name)} including all excluding identity)`.execute(
      tx,
    );
    await table.complete?.(tx, name);
    await attach(tx, table, { name, from, to: monthsAfter(from, 1) });
  }
}

/**
 * The default partition has rows if the job hasn't run for months. Makes it a regular partition.
 * The transactions that read its rows block no other queries; the last only changes the catalog.
 */
async function nameFilledDefault(db: Tx, table: MonthlyTable, now: Date): Promise<void> {
  const last = await transact(db, "readDefaultPartition", (tx) => lastMissed(tx, table));
  if (!last) return;
  // At least a month ahead, so that new rows also pass the check.
  const to = monthsAfter(last > now ? last : now, 2);
  await transact(db, "checkDefaultPartition", (tx) => addCheck(tx, table, to));
  await transact(db, "validateDefaultPartition", (tx) => validate(tx, table, to));
  await transact(db, "nameDefaultPartition", (tx) => nameDefault(tx, table, to));
}

async function lastMissed(tx: Tx, table: MonthlyTable): Promise<Date | null> {
  await allowLong(tx);
  const { rows } = await sql<{ last: Date | null }>`
    select max(${table.time}) as last from ${defaultOf(table)} ${sql.raw(mayTakeHours)}`.execute(
    tx,
  );
  return rows[0]?.last ?? null;
}

/** Keeps a constraint of the same name, which may already be validated. */
async function addCheck(tx: Tx, table: MonthlyTable, to: Date): Promise<void> {
  const name = checkOf(table, to);
  const { rows } = await sql<{ name: string }>`select conname as name from pg_constraint
    where conrelid = ${`${table.name}_default`}::regclass and starts_with(conname, ${`${table.name}_until_`})`.execute(
    tx,
  );
  if (rows.some((one) => one.name === name)) return;
  await limitWaiting(tx);
  for (const one of rows)
    await sql`alter table ${defaultOf(table)} drop constraint ${sql.id(one.name)}`.execute(tx);
  const { first, end } = boundsOf(await lastEnd(tx, table), to);
  const column = sql.ref(table.column);
  await sql`alter table ${defaultOf(table)} add constraint ${sql.id(name)}
    check (${column} >= ${first} and ${column} < ${end}) not valid`.execute(tx);
}

async function validate(tx: Tx, table: MonthlyTable, to: Date): Promise<void> {
  await limitWaiting(tx);
  await allowLong(tx);
  const check = sql.id(checkOf(table, to));
  await sql`alter table ${defaultOf(table)} validate constraint ${check} ${sql.raw(mayTakeHours)}`.execute(
    tx,
  );
}

async function nameDefault(tx: Tx, table: MonthlyTable, to: Date): Promise<void> {
  await limitWaiting(tx);
  const from = await lastEnd(tx, table);
  const name = nameOf(table, from);
  const [whole, missed] = [sql.table(table.name), defaultOf(table)];
  // Attaching takes this lock anyway. Taking it first avoids a deadlock with a transaction that
  // reads the referenced table and then writes to the partitioned table.
  await sql`lock table ${sql.table(table.references)} in access exclusive mode`.execute(tx);
  await sql`alter table ${whole} detach partition ${missed}`.execute(tx);
  await sql`alter table ${missed} rename to ${sql.table(name)}`.execute(tx);
  await attach(tx, table, { name, from, to });
  await sql`alter table ${sql.table(name)} drop constraint ${sql.id(checkOf(table, to))}`.execute(
    tx,
  );
  await sql`create table ${missed} partition of ${whole} default`.execute(tx);
  await table.complete?.(tx, `${table.name}_default`);
}

async function dropPartitions(tx: Tx, table: MonthlyTable, before: Date): Promise<void> {
  const old = (await readPartitions(tx, table)).filter(({ end }) => end <= before);
  if (old.length > 0) await limitWaiting(tx);
  for (const { name } of old) await sql`drop table ${sql.table(name)}`.execute(tx);
}

type Month = { name: string; from: Date; to: Date };

async function attach(tx: Tx, table: MonthlyTable, { name, from, to }: Month): Promise<void> {
  const { first, end } = boundsOf(from, to);
  const [whole, part] = [sql.table(table.name), sql.table(name)];
  await sql`alter table ${whole} attach partition ${part} for values from (${first}) to (${end})`.execute(
    tx,
  );
}

/** PostgreSQL copies row triggers to partitions, but not TRUNCATE triggers, so this adds one. */
async function forbidTruncate(tx: Tx, name: string): Promise<void> {
  await sql`create trigger audit_log_forbid_truncate before truncate on ${sql.table(name)}
    for each statement execute function forbid_audit_log_change()`.execute(tx);
}

async function limitWaiting(tx: Tx): Promise<void> {
  await sql`select set_config('lock_timeout', ${lockTimeout}, true)`.execute(tx);
}

/** Lifts the timeout for statements that read a whole partition but don't block other queries. */
async function allowLong(tx: Tx): Promise<void> {
  await sql`set local statement_timeout = 0`.execute(tx);
}

/** The end of the last partition; monthly partitions follow each other without a gap. */
async function lastEnd(tx: Tx, table: MonthlyTable): Promise<Date> {
  const ends = (await readPartitions(tx, table)).map(({ end }) => end.getTime());
  return new Date(Math.max(...ends));
}

/** Excludes the default partition, which has no end. */
async function readPartitions(tx: Tx, table: MonthlyTable): Promise<Partition[]> {
  const { rows } = await sql<Partition>`
    select name, case when upper_bound ~ ':' then upper_bound::timestamptz
      else upper_bound::timestamp at time zone 'UTC' end as "end" from (
      select relname as name, substring(pg_get_expr(relpartbound, oid) from 'TO \\(''([^'']+)''\\)') as upper_bound
      from pg_class where oid in (select inhrelid from pg_inherits where inhparent = ${table.name}::regclass)
    ) as partitions where upper_bound is not null`.execute(tx);
  return rows;
}

function nameOf({ name }: MonthlyTable, from: Date): string {
  return `${name}_${from.toISOString().slice(0, 7).replace("-", "_")}`;
}

function defaultOf({ name }: MonthlyTable) {
  return sql.table(`${name}_default`);
}

/** The check constraint's name ends with the day when the renamed partition will end. */
function checkOf({ name }: MonthlyTable, to: Date): string {
  return `${name}_until_${to.toISOString().slice(0, 10)}`;
}

function boundsOf(from: Date, to: Date) {
  return { first: sql.lit(from.toISOString()), end: sql.lit(to.toISOString()) };
}

/** The start of the month that is `months` later, in UTC. */
function monthsAfter(date: Date, months: number): Date {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months));
}
