import { type RawBuilder, sql } from "kysely";
import { type Tx, transact } from "../../db/database.ts";
import type { Member } from "../../db/member.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { enqueue } from "../../jobs/job-queue.ts";
import { findOtherMember } from "./conversations.ts";
import { lockConversation, recordInboxChanges } from "./message-inbox.ts";

/**
 * Blocks or unblocks the other member of a conversation, in all conversations between the two.
 * After a block, a job ends the unpaid holds between them, but paid deals continue. A repeated call
 * changes nothing. Throws `NOT_FOUND`.
 */
export async function blockMember(
  { db, clock }: Deps,
  member: Member,
  { conversationId, blocked }: { conversationId: string; blocked: boolean },
): Promise<void> {
  const at = clock.now();
  await transact(db, "blockMember", async (tx) => {
    const memberId = await findOtherMember(tx, member, conversationId);
    await lockPair(tx, [member.id, memberId]);
    await lockConversation(tx, conversationId);
    const pair = { member_id: member.id, blocked_id: memberId };
    const change = blocked
      ? tx
          .insertInto("blocked_members")
          .values(pair)
          .onConflict((conflict) => conflict.doNothing())
          .returning("member_id")
      : tx
          .deleteFrom("blocked_members")
          .where(({ and }) => and(pair))
          .returning("member_id");
    const [changed] = await change.execute();
    if (!changed) return;
    if (blocked) {
      const payload = { memberId, between: member.id, actor: member.id };
      await enqueue(tx, "endHoldsOf", { payload });
    }
    const verb = blocked ? "block" : "unblock";
    const by = { actor: member.id, verb };
    await recordInboxChanges(tx, conversationId, { ...by, memberIds: [member.id] });
    await recordAudit(tx, { ...by, at, object: "member", objectId: memberId });
  });
}

/**
 * Locks a pair of members, so that a block and a message, hold or offer between them wait for each
 * other. Lock order: pair, conversation, inboxes.
 */
export async function lockPair(tx: Tx, [one, other]: [string, string]): Promise<void> {
  await sql`select ${pairLock(sql`${one}::uuid`, sql`${other}::uuid`)}`.execute(tx);
}

export function pairLock(one: RawBuilder<unknown>, other: RawBuilder<unknown>): RawBuilder<void> {
  return sql`pg_advisory_xact_lock(hashtextextended(
    'messages ' || least(${one}, ${other}) || ' ' || greatest(${one}, ${other}), 0))`;
}

/** SQL: whether either of two members has blocked the other. */
export function isBlocked(one: RawBuilder<unknown>, other: RawBuilder<unknown>) {
  return sql<boolean>`exists (select from blocked_members
    where (member_id, blocked_id) in ((${one}, ${other}), (${other}, ${one})))`;
}
