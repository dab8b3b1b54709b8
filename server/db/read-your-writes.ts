import { sql } from "kysely";
import type { Tx } from "./database.ts";

/**
 * Records the WAL position after a member's write is committed and before the write is
 * acknowledged. Replicas behind that position don't serve the member, even on another node or
 * browser (decisions/pooler-and-replicas).
 */
export async function recordWritePosition(tx: Tx, memberId: string): Promise<void> {
  await sql`
    insert into write_positions as known (member_id, position, at)
    values (${memberId}, pg_current_wal_insert_lsn(), now())
    on conflict (member_id) do update
    set position = greatest(known.position, excluded.position), at = excluded.at`.execute(tx);
}
