import { sql } from "kysely";
import type { Tx } from "../../db/database.ts";

/** SQL: the usual reply time of the joined `seller` in hours; null if unknown or too long. */
export const replyHoursColumn = sql<number | null>`(
  select hours from reply_times where reply_times.member_id = seller.id)`.as("reply_hours");

const maxConversations = 20;
const minAnswered = 3;
/** A question without a reply counts as unanswered only after this time. */
const patienceHours = 24;
/** The shown reply time must cover at least this share of the counted questions. */
const usual = 0.75;
/** Reply times to show, in hours. The shortest one that covers the seller's reply time is shown. */
const shownHours = [1, 2, 4, 8, 12, 24, 48, 72];

/**
 * Recomputes the seller's reply time if the message is its sender's first in the conversation. The
 * lock on the seller's inbox serializes updates.
 */
export async function refreshReplyTime(
  tx: Tx,
  { conversationId, senderId, at }: { conversationId: string; senderId: string; at: Date },
): Promise<void> {
  const { rows } = await sql<{ seller_id: string; waited: number; answered: boolean }>`
    with seller as (
      select member_id from conversation_members
      where conversation_id = ${conversationId} and role = 'seller'
        and not exists (
          select from messages where conversation_id = ${conversationId} and sender_id = ${senderId}
          offset 1)
    ), newest as (
      select c.id, c.buyer_id, own.member_id as seller_id
      from seller
        join conversation_members own on own.member_id = seller.member_id and own.role = 'seller'
        join conversations c on c.id = own.conversation_id
      where c.buyer_id = (
        select sender_id from messages where conversation_id = c.id order by sent_at limit 1)
      order by own.last_message_at desc limit ${sql.lit(maxConversations)}
    )
    select seller_id, extract(epoch from coalesce(reply.sent_at, ${at}::timestamptz) - question.sent_at)::float8 as waited,
      reply.sent_at is not null as answered
    from newest
      cross join lateral (
        select sent_at from messages where conversation_id = newest.id order by sent_at limit 1) as question
      left join lateral (
        select sent_at from messages where conversation_id = newest.id and sender_id = seller_id
        order by sent_at limit 1) as reply on true
      left join blocked_members block on block.member_id = seller_id and block.blocked_id = buyer_id
    where reply.sent_at is not null or block.member_id is null`.execute(tx);
  const [first] = rows;
  if (first) await write(tx, first.seller_id, usualHours(rows));
}

/** `waited`: seconds until the seller's reply, or until now. */
type Wait = { waited: number; answered: boolean };

/** Returns the hours to show, or undefined if unknown or too long. */
export function usualHours(waits: Wait[]): number | undefined {
  const answers = waits.filter(({ answered }) => answered);
  if (answers.length < minAnswered) return undefined;
  const hours = waits
    .filter(({ answered, waited }) => answered || waited > patienceHours * 3_600)
    .map(({ answered, waited }) => (answered ? waited / 3_600 : Number.POSITIVE_INFINITY))
    .toSorted((a, b) => a - b);
  const within = hours[Math.ceil(usual * hours.length) - 1] ?? Number.POSITIVE_INFINITY;
  return shownHours.find((shown) => within <= shown);
}

async function write(tx: Tx, sellerId: string, hours: number | undefined): Promise<void> {
  if (hours === undefined) return await deleteReplyTime(tx, sellerId);
  await tx
    .insertInto("reply_times")
    .values({ member_id: sellerId, hours })
    .onConflict((conflict) =>
      conflict.column("member_id").doUpdateSet({ hours }).where("reply_times.hours", "!=", hours),
    )
    .execute();
}

export async function deleteReplyTime(tx: Tx, sellerId: string): Promise<void> {
  await tx.deleteFrom("reply_times").where("member_id", "=", sellerId).execute();
}
