import type { Config } from "../config.ts";
import { openDatabase } from "../db/database.ts";
import { readServerState, type ServerState } from "../db/replica.ts";

/**
 * Throws unless the server is a replica, or the primary listed together with other servers.
 * Operators list every server that may become the primary. Returns a remark to print.
 */
export async function checkReplica(url: string, config: Config): Promise<string | undefined> {
  const { databaseUrl, databaseDirectUrl, databaseReplicaUrls } = config;
  const listed = await readState(url);
  if (!listed.isPrimary) return undefined;
  const primary = await readState(databaseDirectUrl ?? databaseUrl ?? "");
  if (listed.start !== primary.start)
    throw new Error("it is no replica, and not the primary of DATABASE_URL either");
  const all = await Promise.all(
    databaseReplicaUrls.map((one) => readState(one).catch(() => undefined)),
  );
  // A listed server that does not answer is reported by its own check.
  if (all.every((one) => one?.start === primary.start))
    throw new Error("it is no replica, and no other is listed, so nothing is read from one");
  return "it is the primary now";
}

async function readState(url: string): Promise<ServerState> {
  const { db, pool } = openDatabase(url, { connections: 1 });
  return await readServerState(db).finally(() => pool.end());
}
