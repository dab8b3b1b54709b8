import { sql } from "kysely";
import { addPendingChange } from "../../db/committed-changes.ts";
import { type Tx, transact } from "../../db/database.ts";
import type { Member } from "../../db/member.ts";
import type { Deps } from "../../deps.ts";
import { wantsEmails } from "../../email/opt-outs.ts";
import { noConversation } from "./conversations.ts";

export async function readMessageInbox(tx: Tx, { id }: Member) {
  const { unread } = await tx
    .selectFrom("conversation_members")
    .select(({ fn }) => fn.coalesce(fn.sum<string>("unread"), sql<string>`0`).as("unread"))
    .where("member_id", "=", id)
    .where("unread", ">", 0)
    .executeTakeFirstOrThrow();
  return { unread: Number(unread), emails: await wantsEmails(tx, "messages", id) };
}

type InboxChange = { actor: string; verb: string; memberIds: string[] };

/** The inboxes stay locked until the commit, so that changes become visible in numerical order. */
export async function recordInboxChanges(
  tx: Tx,
  conversationId: string,
  { actor, verb, memberIds }: InboxChange,
): Promise<void> {
  await sql`
    with counted as (
      insert into message_inboxes (member_id, changes)
      select member_id, 1 from unnest(${memberIds.toSorted()}::uuid[]) as member_id order by member_id
      on conflict (member_id) do update set changes = message_inboxes.changes + 1
      returning member_id, changes)
    update conversation_members as own set change = counted.changes from counted
    where own.conversation_id = ${conversationId} and own.member_id = counted.member_id`.execute(
    tx,
  );
  await tx
    .insertInto("public_changes")
    .values({ tags: memberIds.map((id) => `inbox:${id}`) })
    .execute();
  addPendingChange(tx, { actor, verb, object: "conversation", objectId: conversationId });
}

/** Marks messages sent up to the time `until` as read. Throws `NOT_FOUND`. */
export async function markConversationRead(
  { db }: Deps,
  member: Member,
  { id: conversationId, until }: { id: string; until: string },
): Promise<void> {
  await transact(db, "markConversationRead", async (tx) => {
    await lockConversation(tx, conversationId);
    const readAt = sql<Date>`greatest(own.read_at, ${new Date(until)}::timestamptz)`;
    const { before, unread, read_at } = await tx
      .selectFrom("conversation_members as own")
      .select(["own.unread as before", readAt.as("read_at")])
      .select(
        sql<number>`(
          select count(*)::int from messages
          where conversation_id = own.conversation_id and sender_id <> own.member_id
            and sent_at > ${readAt})`.as("unread"),
      )
      .where("own.conversation_id", "=", conversationId)
      .where("own.member_id", "=", member.id)
      .executeTakeFirstOrThrow(noConversation);
    if (unread === before) return;
    await tx
      .updateTable("conversation_members")
      .set({ unread, read_at, ...(unread === 0 && { email_due_at: null }) })
      .where("conversation_id", "=", conversationId)
      .where("member_id", "=", member.id)
      .execute();
    const by = { actor: member.id, verb: "read messages" };
    await recordInboxChanges(tx, conversationId, { ...by, memberIds: [member.id] });
  });
}

/** Sending a message takes the same lock, so no unread count changes meanwhile. */
export async function lockConversation(tx: Tx, id: string): Promise<void> {
  await tx.selectFrom("conversations").select("id").where("id", "=", id).forUpdate().execute();
}
