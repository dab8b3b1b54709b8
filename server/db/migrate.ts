import { readdir, readFile } from "node:fs/promises";
import { runMigrations } from "graphile-worker";
import type pg from "pg";
import { openDatabase } from "./database.ts";

const folder = new URL("./migrations/", import.meta.url);
/** The key of the advisory lock; the same on every node. */
const lock = 7_202_611;

/**
 * Applies missing migrations. Nodes that start together wait for the first one, without a timeout. A database
 * on a busy machine gets a minute to accept the connection, because a failed start ends the process.
 */
export async function migrate(url: string): Promise<void> {
  const { pool } = openDatabase(url, {
    connections: 2,
    statementTimeoutMs: 0,
    connectTimeoutMs: 60_000,
  });
  await migrateOn(pool).finally(() => pool.end());
}

async function migrateOn(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [lock]);
    await client.query(
      "create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())",
    );
    await runMigrations({ pgPool: pool });
    for (const name of await pendingMigrations(client)) await apply(client, name);
  } finally {
    await client.query("select pg_advisory_unlock($1)", [lock]);
    client.release();
  }
}

async function pendingMigrations(client: pg.PoolClient): Promise<string[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
  const { rows } = await client.query<{ name: string }>("select name from migrations");
  const applied = new Set(rows.map((row) => row.name));
  const unknown = [...applied].filter((name) => !files.includes(name));
  if (unknown.length > 0) {
    throw new Error(
      `The database was migrated by a newer Secondlap (${unknown.join(", ")}). Update this one, or point it at another database.`,
    );
  }
  return files.filter((name) => !applied.has(name));
}

async function apply(client: pg.PoolClient, name: string): Promise<void> {
  const text = await readFile(new URL(name, folder), "utf8");
  await client.query("begin");
  try {
    await client.query(text);
    await client.query("insert into migrations (name) values ($1)", [name]);
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    throw new Error(`Migration ${name} failed.`, { cause: error });
  }
}
