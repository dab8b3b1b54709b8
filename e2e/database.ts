import type { Tx } from "#server/db/database.ts";
import { startEmbeddedPostgres } from "#server/db/embedded-postgres/embedded-postgres.ts";
import { openTestDatabase } from "#server/testing/open-test-database.ts";

/**
 * Changes the database of the server under test, for example to backdate a row. The change is one
 * transaction, so the server's jobs never see it half done.
 */
export async function changeDatabase(
  change: (tx: Tx) => Promise<unknown>,
  dataDir = String(process.env.E2E_DATA_DIR),
): Promise<void> {
  const postgres = await startEmbeddedPostgres({ dataDir, shared: true });
  const { db, pool } = openTestDatabase(postgres.url, 1);
  await db.transaction().execute(change);
  await pool.end();
  await postgres.stop();
}
