import { openDatabase } from "#server/db/database.ts";
import { startEmbeddedPostgres } from "#server/db/embedded-postgres/embedded-postgres.ts";

/** Changes the database of the program under test, such as when something happened. */
export async function changeDatabase(statement: string, values: string[]): Promise<void> {
  const dataDir = String(process.env.E2E_DATA_DIR);
  const postgres = await startEmbeddedPostgres({ dataDir, shared: true });
  const { pool } = openDatabase(postgres.url, { connections: 1 });
  await pool.query(statement, values);
  await pool.end();
  await postgres.stop();
}
