import { sql } from "kysely";
import { inject } from "vitest";
import type { Tx } from "../db/database.ts";
import type { Replicas } from "../db/replicas.ts";
import { withDatabase } from "./global-setup.ts";
import { openTestDatabase } from "./test-connections.ts";

/**
 * Reads from the replica in `npm run test:replicas`, otherwise from read-only sessions. Never falls
 * back to a session that can write, so a call that can't use a replica fails.
 */
export function openReplicaReads(databaseUrl: string): Replicas & { close(): Promise<void> } {
  const replicaUrl = inject("replicaUrl");
  const primary = openTestDatabase(databaseUrl, 1);
  const reads = openTestDatabase(
    replicaUrl === ""
      ? `${databaseUrl}?options=-c%20default_transaction_read_only%3Don`
      : withDatabase(replicaUrl, new URL(databaseUrl).pathname.slice(1)),
    4,
  );
  let answered = 0;
  reads.pool.on("connect", (client) => {
    client.connection.on("commandComplete", () => {
      answered += 1;
    });
  });
  return {
    exist: true,
    reads: {},
    states: [],
    async read(_, read) {
      const position = await writtenPosition(primary.db);
      return await reads.db.connection().execute(async (tx) => {
        if (replicaUrl !== "") await untilReplayed(tx, position);
        const before = answered;
        const result = await read(tx);
        if (answered === before)
          throw new Error("The call used another database than it was given.");
        return result;
      });
    },
    async close() {
      await Promise.all([primary.pool.end(), reads.pool.end()]);
    },
  };
}

async function writtenPosition(tx: Tx): Promise<string> {
  const { rows } = await sql<{
    position: string;
  }>`select pg_current_wal_flush_lsn()::text as position`.execute(tx);
  return rows[0]?.position ?? "";
}

async function untilReplayed(tx: Tx, position: string): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ isReplayed: boolean }>`
      select pg_last_wal_replay_lsn() >= ${position}::pg_lsn as "isReplayed"`.execute(tx);
    if (rows[0]?.isReplayed) return;
  }
}
