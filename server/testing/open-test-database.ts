import { type Database, openDatabase } from "../db/database.ts";

/** Opens a pool whose timeouts no busy machine or stalled disk reaches: 120 s a statement, 40 s to connect. */
export function openTestDatabase(url: string, connections: number): Database {
  return openDatabase(url, { connections, statementTimeoutMs: 120_000 });
}

/**
 * Ends all clients' connections to this database, and waits for it. Leaves autovacuum alone, which
 * only a superuser may end.
 */
export async function endConnections(administratorUrl: string, database: string): Promise<void> {
  const { pool } = openTestDatabase(administratorUrl, 1);
  await pool.query(
    "select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = $1 and backend_type = 'client backend'",
    [database],
  );
  await pool.end();
}
