import { type RawBuilder, sql } from "kysely";
import type { Tx } from "../../db/database.ts";

/**
 * Serializes messages, holds and blocks between two members, so that no message or hold is stored
 * after a block. The lock order is: pair, conversation, inboxes.
 */
export async function lockPair(tx: Tx, [one, other]: [string, string]): Promise<void> {
  await sql`select ${pairLock(sql`${one}::uuid`, sql`${other}::uuid`)}`.execute(tx);
}

/** SQL that takes the lock of `lockPair` for two member ids. */
export function pairLock(one: RawBuilder<unknown>, other: RawBuilder<unknown>): RawBuilder<void> {
  return sql`pg_advisory_xact_lock(hashtextextended(
    'messages ' || least(${one}, ${other}) || ' ' || greatest(${one}, ${other}), 0))`;
}

/** SQL: whether one of two members has blocked the other. */
export function isBlocked(one: RawBuilder<unknown>, other: RawBuilder<unknown>) {
  return sql<boolean>`exists (select from blocked_members
    where (member_id, blocked_id) in ((${one}, ${other}), (${other}, ${one})))`;
}
