import { sql } from "kysely";
import type { Tx } from "./database.ts";

/**
 * Records how far the WAL is now that a write of this member is committed; before it is acknowledged. Replicas that
 * have not replayed it do not answer the member, whatever node, tab, browser or token they use (decisions/pooler-and-replicas).
 */
export async function recordWritePosition(tx: Tx, memberId: string): Promise<void> {
  await sql`
    insert into write_positions as known (member_id, position, at)
    values (${memberId}, pg_current_wal_insert_lsn(), now())
    on conflict (member_id) do update
    set position = greatest(known.position, excluded.position), at = excluded.at`.execute(tx);
}
