import { type Database, openDatabase } from "../db/database.ts";

/** The timeouts are long, for busy machines: 120 s per statement and 40 s to connect. */
export function openTestDatabase(url: string, connections: number): Database {
  return openDatabase(url, { connections, statementTimeoutMs: 120_000 });
}

/** Ends clients' connections, but not autovacuum, which only a superuser may end. */
export async function endConnections(administratorUrl: string, database: string): Promise<void> {
  const { pool } = openTestDatabase(administratorUrl, 1);
  await pool.query(
    "select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = $1 and backend_type = 'client backend'",
    [database],
  );
  await pool.end();
}

export async function countLockWaits(pool: Pick<Database["pool"], "query">): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    "select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return rows[0]?.count ?? 0;
}
