import { sql } from "kysely";
import type { Tx } from "../../db/database.ts";

/**
 * Has writing and blocking between two members happen one after the other, so that no message arrives after a block.
 * Comes before the lock of a conversation, which comes before those of inboxes.
 */
export async function lockPair(tx: Tx, memberIds: [string, string]): Promise<void> {
  const name = `messages ${memberIds.toSorted().join(" ")}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx);
}
