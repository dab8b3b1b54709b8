import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { readLedger } from "#contract/ledger.ts";
import { notBackedUp } from "./backup-tables.ts";
import { createTestDatabase } from "./create-test-database.ts";
import { member } from "./people.ts";
import type { Shop } from "./shop.ts";
import { openTestDatabase } from "./test-connections.ts";

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "secondlap backup "));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** In another time zone. As in managed PostgreSQL, the role isn't a superuser. */
export async function databaseOfAnotherServer(): Promise<string> {
  const url = await createTestDatabase("restored");
  const { pool } = openTestDatabase(url, 1);
  const name = new URL(url).pathname.slice(1);
  await pool.query(`alter database ${name} set timezone = 'Asia/Tokyo'`);
  await pool.end();
  return url;
}

/** Rows as text, by table name. */
export async function allRows(url: string): Promise<Map<string, string[]>> {
  const { pool } = openTestDatabase(url, 1);
  const client = await pool.connect();
  await client.query("set timezone = 'UTC'");
  const { rows } = await client.query<{ name: string }>(`
    select format('%s.%s', nspname, relname) as name
    from pg_class join pg_namespace n on n.oid = relnamespace
    where relkind in ('r', 'm', 'f')
      and nspname <> 'information_schema' and nspname !~ '^pg_'
    order by name`);
  const tables = new Map<string, string[]>();
  for (const { name } of rows) {
    const [schema, table] = name.split(".");
    const read = await client.query<{ row: string }>(
      `select t::text as row from "${schema}"."${table}" t order by t::text`,
    );
    tables.set(
      name,
      read.rows.map(({ row }) => row),
    );
  }
  client.release();
  await pool.end();
  return tables;
}

export async function backedUpRows(url: string): Promise<Map<string, string[]>> {
  const tables = await allRows(url);
  for (const name of notBackedUp) tables.delete(name);
  return tables;
}

export async function allPhotos(dataDir: string): Promise<Map<string, Buffer>> {
  const files = await readdir(dataDir, { recursive: true, withFileTypes: true });
  const photos = files
    .filter((file) => file.isFile() && /\.(jpg|webp|avif)$/.test(file.name))
    .map((file) => join(file.parentPath, file.name));
  const read = photos
    .toSorted()
    .map(async (path) => [path.slice(dataDir.length), await readFile(path)] as const);
  return new Map(await Promise.all(read));
}

export async function balancesOf(shop: Shop) {
  const admin = await member(shop, { isAdmin: true });
  const { balances } = await admin.call(readLedger, {});
  const deals = await shop.pool.query("select * from deal_ledger order by booking_id, currency");
  const credits = await shop.pool.query("select * from credit_accounts order by member_id");
  return { ledger: balances, deals: deals.rows, credits: credits.rows };
}
