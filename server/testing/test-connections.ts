import { type Database, openDatabase } from "../db/database.ts";

/** The timeouts are long, for busy machines: 120 s per statement and 40 s to connect. */
export function openTestDatabase(url: string, connections: number): Database {
  return openDatabase(url, { connections, statementTimeoutMs: 120_000 });
}

/** SQL: clients' connections, but not autovacuum, which only a superuser may end. */
const clients = "backend_type = 'client backend'";

type Outage = { administratorUrl: string; databaseUrl: string };

/** Ends the connections `which` (SQL). Returns how to allow new ones, if `refuse` refuses them. */
export async function endConnections(
  { administratorUrl, databaseUrl }: Outage,
  { which = clients, refuse = false }: { which?: string; refuse?: boolean } = {},
): Promise<() => Promise<void>> {
  const database = new URL(databaseUrl).pathname.slice(1);
  const administer = async (statement: string) => {
    const { pool } = openTestDatabase(administratorUrl, 1);
    await pool.query(statement).finally(() => pool.end());
  };
  const allow = (isAllowed: boolean) =>
    administer(`alter database "${database}" allow_connections ${isAllowed}`);
  if (refuse) await allow(false);
  await administer(
    `select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = '${database}' and ${which}`,
  );
  return () => allow(true);
}

export async function countLockWaits(pool: Pick<Database["pool"], "query">): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    "select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return rows[0]?.count ?? 0;
}
