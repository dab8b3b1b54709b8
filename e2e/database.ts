import { randomUUID } from "node:crypto";
import { updateSessions } from "#server/adapters/identity/testing.ts";
import type { Tx } from "#server/db/database.ts";
import { startEmbeddedPostgres } from "#server/db/embedded-postgres/embedded-postgres.ts";
import { openTestDatabase } from "#server/testing/test-connections.ts";
import type { Credentials } from "./accounts.ts";

/** Changes the tested server's database in one transaction, so jobs never see half a change. */
export async function changeDatabase(change: (tx: Tx) => Promise<unknown>): Promise<void> {
  await withPostgres(async (url) => {
    const { db, pool } = openTestDatabase(url, 1);
    await db.transaction().execute(change);
    await pool.end();
  });
}

/** Makes the member's sessions 11 minutes old. After ten, sensitive actions ask for a password. */
export async function backdateSessions({ email }: Credentials): Promise<void> {
  const createdAt = new Date(Date.now() - 11 * 60_000);
  await changeDatabase((db) => updateSessions(db, { createdAt }, email));
}

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
