import { type Database, openDatabase } from "../db/database.ts";

/** Opens a pool whose timeouts no busy machine or stalled disk reaches: 120 s a statement, 40 s to connect. */
export function openTestDatabase(url: string, connections: number): Database {
  return openDatabase(url, { connections, statementTimeoutMs: 120_000 });
}
