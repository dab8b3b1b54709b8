import { randomUUID } from "node:crypto";
import type { Tx } from "#server/db/database.ts";
import { startEmbeddedPostgres } from "#server/db/embedded-postgres/embedded-postgres.ts";
import { openTestDatabase } from "#server/testing/test-connections.ts";

/**
 * Changes the database of the server under test, for example to backdate a row. The change is one
 * transaction, so the server's jobs never see it half done.
 */
export async function changeDatabase(change: (tx: Tx) => Promise<unknown>): Promise<void> {
  await withPostgres((url) => changeDatabaseAt(url, change));
}

/** Changes another server's database. */
export async function changeDatabaseAt(
  url: string,
  change: (tx: Tx) => Promise<unknown>,
): Promise<void> {
  const { db, pool } = openTestDatabase(url, 1);
  await db.transaction().execute(change);
  await pool.end();
}

/** Creates an empty database in the PostgreSQL of the server under test, and returns its URL. */
export async function createDatabase(): Promise<string> {
  return await withPostgres(async (url) => {
    const name = `own_${randomUUID().replaceAll("-", "")}`;
    const { pool } = openTestDatabase(url, 1);
    await pool.query(`create database ${name}`);
    await pool.end();
    return Object.assign(new URL(url), { pathname: `/${name}` }).href;
  });
}

async function withPostgres<T>(use: (url: string) => Promise<T>): Promise<T> {
  const dataDir = String(process.env.E2E_DATA_DIR);
  const postgres = await startEmbeddedPostgres({ dataDir, shared: true });
  try {
    return await use(postgres.url);
  } finally {
    await postgres.stop();
  }
}
