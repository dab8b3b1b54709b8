import { readdir, readFile } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { runMigrations } from "graphile-worker";
import type pg from "pg";
import { DatabaseError } from "pg";
import { openDatabase } from "./database.ts";

const schemaFolder = new URL("./schema/", import.meta.url);
const migrationsFolder = new URL("./migrations/", import.meta.url);
/** The name under which `migrations` records the schema. */
const baseline = "schema 1.0.0";
/** The advisory lock's key, the same on every node. */
const lock = 7_202_611;
/** Short, because other queries queue behind a migration that is waiting for a lock. */
const lockTimeoutMs = 2_000;
const attempts = 30;
const retryMs = 1_000;
const pollMs = 200;

/**
 * Applies the schema and new migrations. Nodes that start at the same time wait for each other,
 * without a timeout. The database gets a minute to accept the connection, because a failed start
 * ends the process.
 */
export async function migrate(url: string, migrations = migrationsFolder): Promise<void> {
  const { pool } = openDatabase(url, {
    connections: 2,
    statementTimeoutMs: 0,
    connectTimeoutMs: 60_000,
  });
  await migrateOn(pool, migrations).finally(() => pool.end());
}

async function migrateOn(pool: pg.Pool, folder: URL): Promise<void> {
  const client = await pool.connect();
  try {
    await takeLock(client);
    await client.query(
      "create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())",
    );
    const applied = await listApplied(client);
    await runMigrations({ pgPool: pool });
    if (applied.size === 0) await applySchema(client);
    for (const name of await pendingMigrations(applied, folder)) {
      await apply(client, { name, text: await readFile(new URL(name, folder), "utf8") });
    }
  } finally {
    // Unlocking may fail, but the connection must be released: closing the pool waits for that.
    await client.query("select pg_advisory_unlock($1)", [lock]).catch(() => {});
    client.release(true);
  }
}

/** Polls, because `pg_advisory_lock` would deadlock with the holder's concurrent index creation. */
async function takeLock(client: pg.PoolClient): Promise<void> {
  const take = () =>
    client.query<{ taken: boolean }>("select pg_try_advisory_lock($1) as taken", [lock]);
  while (!(await take()).rows[0]?.taken) await wait(pollMs);
}

/** Lists applied migrations; empty without a schema. Throws for a schema from before 1.0.0. */
async function listApplied(client: pg.PoolClient): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string }>("select name from migrations");
  const applied = new Set(rows.map((row) => row.name));
  if (applied.size > 0 && !applied.has(baseline)) {
    throw new Error(
      "This data is from before Secondlap 1.0.0, which can't read it. Move the data folder away, or point DATABASE_URL at an empty database.",
    );
  }
  return applied;
}

/** Doesn't check function bodies, because some use tables from later files. */
async function applySchema(client: pg.PoolClient): Promise<void> {
  const files = await listSqlFiles(schemaFolder);
  const texts = await Promise.all(
    files.map((name) => readFile(new URL(name, schemaFolder), "utf8")),
  );
  const text = ["set local check_function_bodies = off;", ...texts].join("\n");
  await runInTransaction(client, { name: baseline, text });
}

async function pendingMigrations(applied: ReadonlySet<string>, folder: URL): Promise<string[]> {
  const files = await listSqlFiles(folder);
  const unknown = [...applied].filter((name) => name !== baseline && !files.includes(name));
  if (unknown.length > 0) {
    throw new Error(
      `The database was migrated by a newer Secondlap (${unknown.join(", ")}). Update this one, or point it at another database.`,
    );
  }
  return files.filter((name) => !applied.has(name));
}

async function listSqlFiles(folder: URL): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
}

/**
 * Uses one transaction, unless the file opts out; then each statement must be repeatable. A
 * migration that can't get its locks pauses to let queries run, and then retries.
 */
async function apply(client: pg.PoolClient, migration: Migration): Promise<void> {
  const { name, text } = migration;
  const run = text.startsWith("-- Outside a transaction") ? runStatements : runInTransaction;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run(client, migration);
    } catch (error) {
      if (!isLockTimeout(error) || attempt === attempts)
        throw new Error(`Migration ${name} failed: ${(error as Error).message}`, { cause: error });
      await wait(retryMs * (0.5 + Math.random()));
    }
  }
}

type Migration = { name: string; text: string };

async function runInTransaction(client: pg.PoolClient, { name, text }: Migration): Promise<void> {
  await client.query("begin");
  try {
    await client.query(`set local lock_timeout = '${lockTimeoutMs}ms'`);
    await client.query(text);
    await client.query("insert into migrations (name) values ($1)", [name]);
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    throw error;
  }
}

/** Sets no lock timeout: `create index concurrently` waits without blocking transactions. */
async function runStatements(client: pg.PoolClient, { name, text }: Migration): Promise<void> {
  await dropInvalidIndexes(client);
  for (const statement of text.split(/;\s*\n/)) if (statement.trim()) await client.query(statement);
  await client.query("insert into migrations (name) values ($1)", [name]);
}

/** A failed `create index concurrently` leaves an unusable index that `if not exists` keeps. */
async function dropInvalidIndexes(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    "select oid::regclass::text as name from pg_class join pg_index on indexrelid = oid where not indisvalid and relnamespace = 'public'::regnamespace",
  );
  for (const { name } of rows) await client.query(`drop index concurrently if exists ${name}`);
}

function isLockTimeout(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === "55P03";
}
