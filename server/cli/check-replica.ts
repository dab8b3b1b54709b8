import { sql } from "kysely";
import type { Config } from "../config.ts";
import { openDatabase } from "../db/database.ts";
import { serverStart } from "../db/wal-positions.ts";

type ServerState = { isPrimary: boolean; start: string };

/**
 * Throws unless a server of `DATABASE_REPLICA_URL` is a replica, or the primary beside others: all that may become the
 * primary are listed. Returns what to say of it.
 */
export async function checkReplica(url: string, config: Config): Promise<string | undefined> {
  const { databaseUrl, databaseDirectUrl, databaseReplicaUrls } = config;
  const listed = await readState(url);
  if (!listed.isPrimary) return undefined;
  if (databaseReplicaUrls.length === 1)
    throw new Error("it is no replica, so nothing is read from it");
  const primary = await readState(databaseDirectUrl ?? databaseUrl ?? "");
  if (listed.start !== primary.start)
    throw new Error("it is no replica, and not the primary of DATABASE_URL either");
  return "it is the primary now";
}

async function readState(url: string): Promise<ServerState> {
  const { db, pool } = openDatabase(url, { connections: 1 });
  try {
    const { rows } = await sql<ServerState>`
      select not pg_is_in_recovery() as "isPrimary", ${serverStart} as start`.execute(db);
    const [row] = rows;
    if (!row) throw new Error("PostgreSQL said nothing of its state");
    return row;
  } finally {
    await pool.end();
  }
}
