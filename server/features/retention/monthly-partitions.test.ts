import { sql } from "kysely";
import { expect } from "vitest";
import { listAuditLog } from "#contract/audit.ts";
import { openDatabase } from "../../db/database.ts";
import { shopTest } from "../../testing/fixtures.ts";
import { listing } from "../../testing/marketplace.ts";
import { member } from "../../testing/people.ts";
import { openShop, type Shop } from "../../testing/shop.ts";
import { countViews } from "../overview/overview.ts";
import { keepAuditLog, keepProductViews } from "./monthly-partitions.ts";

const test = shopTest();
const day = 24 * 60;

async function partitions(
  { deps: { db } }: Shop,
  table = "audit_log",
): Promise<Record<string, number>> {
  const { rows } = await sql<{ name: string; entries: number }>`
    select inhrelid::regclass::text as name,
      (select count(*)::int from ${sql.table(table)} a where a.tableoid = inhrelid) as entries
    from pg_inherits where inhparent = ${table}::regclass order by inhrelid::regclass::text`.execute(
    db,
  );
  return Object.fromEntries(rows.map(({ name, entries }) => [name, entries]));
}

/** Returns partitions that PostgreSQL attached without a scan, because of a check constraint. */
async function attachedUnread({ deps, pool }: Shop): Promise<string[]> {
  const unread: string[] = [];
  const url = new URL(pool.options.connectionString ?? "");
  url.searchParams.set("options", "-c client_min_messages=debug1");
  const verbose = openDatabase(url.href);
  verbose.pool.on("connect", (client) =>
    client.on("notice", ({ message = "" }) => {
      const [, name] =
        /partition constraint for table "(\w+)" is implied by existing/.exec(message) ?? [];
      if (name !== undefined) unread.push(name);
    }),
  );
  await keepAuditLog({ ...deps, db: verbose.db });
  await verbose.pool.end();
  return unread;
}

/** Such as audit_log_2027_01. */
function nameOf({ clock }: Shop, months: number, table = "audit_log"): string {
  const now = clock.now();
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months));
  return `${table}_${month.toISOString().slice(0, 7).replace("-", "_")}`;
}

test("the job creates the audit log's next partitions, which are append-only like the rest of the log", async ({
  shop,
  seller,
}) => {
  await keepAuditLog(shop.deps);
  await keepAuditLog(shop.deps);
  const months = [2, 3].map((month) => nameOf(shop, month));
  expect(Object.keys(await partitions(shop))).toEqual([
    ...months,
    "audit_log_default",
    "audit_log_first",
  ]);
  shop.clock.advance(70 * day);
  await listing(seller);
  const [month = ""] =
    Object.entries(await partitions(shop)).find(
      ([name, entries]) => /\d$/.test(name) && entries > 0,
    ) ?? [];
  expect(month).toBe(nameOf(shop, 0));
  const before = await partitions(shop);
  for (const name of [month, "audit_log_first", "audit_log_default", "audit_log"])
    for (const change of [
      `delete from ${name}`,
      `update ${name} set verb = ''`,
      `truncate ${name}`,
    ]) {
      // An empty partition fires no row triggers.
      if (before[name] === 0 && !change.startsWith("truncate")) continue;
      await expect(sql.raw(change).execute(shop.deps.db)).rejects.toThrow("append-only");
    }
  expect(await partitions(shop)).toEqual(before);
});

test("the job keeps audit rows written while it wasn't running, and moves them to a partition for their time", async () => {
  const shop = await openShop();
  const seller = await member(shop, { accountType: "seller" });
  shop.clock.advance(400 * day);
  await listing(seller);
  const late = nameOf(shop, 0);
  shop.clock.advance(40 * day);
  await listing(seller);
  const missed = await partitions(shop);
  expect(missed.audit_log_default).toBe(4);
  const admin = await member(shop, { isAdmin: true });
  const read = async () => (await admin.call(listAuditLog, {})).map(({ _id }) => _id);
  const entries = await read();
  const unread = await attachedUnread(shop);
  const found = await partitions(shop);
  expect(unread).toContain(
    Object.keys(found).find((name) => (found[name] ?? 0) > 0 && name <= late),
  );
  expect(found.audit_log_default).toBe(0);
  expect(Object.values(found).reduce((sum, count) => sum + count)).toBe(entries.length);
  expect(await read()).toEqual(entries);
  // The default partition's rows are now in one partition, which follows the first partition.
  expect(Object.entries(found).filter(([name, count]) => count > 0 && name <= late)).toHaveLength(
    1,
  );
  for (const month of [2, 3]) expect(found).toHaveProperty(nameOf(shop, month));
  await shop.close();
});

test("the job's next run finishes an interrupted one, even if an old check constraint is left over", async () => {
  const shop = await openShop();
  const seller = await member(shop, { accountType: "seller" });
  shop.clock.advance(400 * day);
  await listing(seller);
  const { db } = shop.deps;
  const cutOff = sql`alter table audit_log_default add constraint audit_log_until_old
    check (at < ${sql.lit(new Date(shop.clock.now().getTime() + 86_400_000).toISOString())}) not valid`;
  await cutOff.execute(db);
  await keepAuditLog(shop.deps);
  shop.clock.advance(2 * day);
  await listing(seller);
  const found = await partitions(shop);
  expect(found.audit_log_default).toBe(0);
  const { rows } = await sql`select from pg_constraint
    where starts_with(conname, 'audit_log_until_')`.execute(db);
  expect(rows).toEqual([]);
  await shop.close();
});

test("the job locks members before the audit log, to avoid a deadlock with a transaction that reads both", async () => {
  const shop = await openShop();
  const seller = await member(shop, { accountType: "seller" });
  shop.clock.advance(400 * day);
  await listing(seller);
  const reader = await shop.deps.db.startTransaction().execute();
  await reader.selectFrom("members").select("id").where("id", "=", seller.id).execute();
  const keeping = keepAuditLog(shop.deps);
  await expect
    .poll(() => locksOfWaiting(shop), { interval: 5 })
    .toEqual([{ table: "members", granted: false }]);
  await reader.commit().execute();
  await keeping;
  expect((await partitions(shop)).audit_log_default).toBe(0);
  await shop.close();
});

/** Held or requested by transactions that are waiting for a lock. */
async function locksOfWaiting({ pool }: Shop) {
  const { rows } = await pool.query(`
    select relation::regclass::text as table, granted from pg_locks
    where mode = 'AccessExclusiveLock' and relation is not null and pid in (
      select pid from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock')`);
  return rows;
}

/** To noon on the tenth. */
function advanceToMonth({ clock }: Shop, months: number): void {
  const now = clock.now();
  const then = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 10, 12);
  clock.advance((then - now.getTime()) / 60_000);
}

test("an audit log partition is dropped AUDIT_LOG_YEARS after it ends, or kept if AUDIT_LOG_YEARS is not set", async () => {
  const shop = await openShop({ env: { AUDIT_LOG_YEARS: "3" } });
  const seller = await member(shop, { accountType: "seller" });
  await listing(seller);
  await keepAuditLog(shop.deps);
  // After two months, the first partition has ended, but the second one has not.
  advanceToMonth(shop, 2);
  await listing(seller);
  advanceToMonth(shop, 36);
  const { config } = shop.deps;
  await keepAuditLog({ ...shop.deps, config: { ...config, auditLogYears: undefined } });
  const all = await partitions(shop);
  expect([all.audit_log_first, all.audit_log_default]).toEqual([expect.any(Number), 0]);
  await keepAuditLog(shop.deps);
  const kept = await partitions(shop);
  expect(Object.keys(all).filter((name) => !(name in kept))).toEqual(["audit_log_first"]);
  const remaining = Object.values(kept).reduce((sum, count) => sum + count);
  expect(remaining).toBe(2);
  await shop.close();
});

test("views are counted in their month's partition, which is dropped thirteen months after it ends", async () => {
  const shop = await openShop();
  const seller = await member(shop, { accountType: "seller" });
  const product = await listing(seller);
  const parts = () => partitions(shop, "product_views");
  const look = async () => {
    for (let view = 0; view < 2; view += 1) await countViews(shop.deps, [product]);
  };
  await look();
  // The job hasn't run for four months.
  advanceToMonth(shop, 4);
  await look();
  expect(await parts()).toEqual({ product_views_default: 1, product_views_first: 1 });
  await keepProductViews(shop.deps);
  await keepProductViews(shop.deps);
  advanceToMonth(shop, 2);
  await look();
  const month = nameOf(shop, 0, "product_views");
  expect(await parts()).toMatchObject({ product_views_default: 0, [month]: 1 });
  // The first partition is dropped thirteen months after its end, not before.
  advanceToMonth(shop, 8);
  await keepProductViews(shop.deps);
  expect(await parts()).toHaveProperty("product_views_first");
  advanceToMonth(shop, 1);
  await keepProductViews(shop.deps);
  expect(await parts()).not.toHaveProperty("product_views_first");
  expect(await parts()).toMatchObject({ product_views_default: 0, [month]: 1 });
  await shop.close();
});
