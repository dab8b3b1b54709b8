import { type InferResult, sql } from "kysely";
import { jsonObjectFrom } from "kysely/helpers/postgres";
import type { MemberData } from "#contract/account.ts";
import { openBookingStates } from "#contract/life-cycle.ts";
import type { AccountType } from "#contract/members.ts";
import type { Conversation, Message } from "#contract/messages.ts";
import { toDollars } from "#contract/price.ts";
import type { Tx } from "../../db/database.ts";
import type { Member } from "../../db/member.ts";
import { newestFirst, type Page, type Paging } from "../../db/pagination.ts";
import { unnamedLaptop } from "../../email/email-phrases.ts";
import { orNotFound } from "../../errors.ts";
import { meetingColumn, toMeeting } from "../deals/booking-columns.ts";
import { deleteReplyTime } from "../reviews/reply-time.ts";
import { shownNameColumn, stateColumn } from "../saved/saved-products.ts";
import { isPaidFor, maySendPhotos, messageColumns, toMessage } from "./shown-text.ts";

/** The conversation with the newest message comes first. */
export async function listConversations(
  tx: Tx,
  { id }: Member,
  paging: Paging,
): Promise<Page<Conversation>> {
  const order = { at: "own.last_message_at", id: "own.conversation_id" } as const;
  return await newestFirst(selectConversations(tx, id), { ...order, ...paging }, (row) =>
    toConversation(row, id),
  );
}

/** Throws `NOT_FOUND`. */
export async function readConversation(
  tx: Tx,
  { id }: Member,
  conversationId: string,
): Promise<Conversation> {
  const row = await selectConversations(tx, id)
    .where("own.conversation_id", "=", conversationId)
    .executeTakeFirstOrThrow(noConversation);
  return toConversation(row, id);
}

export const noConversation = orNotFound("You have no such conversation.");

/** Returns the id of the conversation's other member. Throws `NOT_FOUND`. */
export async function findOtherMember(tx: Tx, { id }: Member, conversationId: string) {
  const { member_id } = await tx
    .selectFrom("conversation_members as own")
    .innerJoin("conversation_members as side", "side.conversation_id", "own.conversation_id")
    .select("side.member_id")
    .where("own.conversation_id", "=", conversationId)
    .where("own.member_id", "=", id)
    .where("side.member_id", "!=", id)
    .executeTakeFirstOrThrow(noConversation);
  return member_id;
}

/** Lists messages, newest first. Throws `NOT_FOUND`. */
export async function listMessages(
  tx: Tx,
  member: Member,
  { id: conversationId, ...paging }: Paging & { id: string },
): Promise<Page<Message>> {
  const reading = { conversationId, reader: member.id, self: member.id };
  const page = await listMessagesOf(tx, reading, paging);
  if (page.items.length === 0) await findOtherMember(tx, member, conversationId);
  return page;
}

/** `reader`: a member; null for an admin. `self`: the member whose messages count as `mine`. */
type Reading = { conversationId: string; reader: string | null; self: string };

/** Returns no messages if the reader is not a member of the conversation. */
export async function listMessagesOf(
  tx: Tx,
  { conversationId, reader, self }: Reading,
  paging: Paging,
): Promise<Page<Message>> {
  const messages = tx
    .selectFrom("messages as m")
    .innerJoin("conversations as c", "c.id", "m.conversation_id")
    .select(messageColumns(reader))
    .where("m.conversation_id", "=", conversationId)
    .$if(reader !== null, (query) =>
      query.where(({ exists, selectFrom }) =>
        exists(
          selectFrom("conversation_members as own")
            .whereRef("own.conversation_id", "=", "c.id")
            .where("own.member_id", "=", reader),
        ),
      ),
    );
  const order = { at: "m.sent_at", id: "m.id" } as const;
  return await newestFirst(messages, { ...order, ...paging }, (row) => toMessage(row, self));
}

function selectConversations(tx: Tx, memberId: string) {
  return tx
    .selectFrom("conversation_members as own")
    .innerJoin("conversations as c", "c.id", "own.conversation_id")
    .innerJoin("conversation_members as side", (join) =>
      join
        .onRef("side.conversation_id", "=", "own.conversation_id")
        .onRef("side.member_id", "!=", "own.member_id"),
    )
    .innerJoin("members as other", "other.id", "side.member_id")
    .innerJoin("products", "products.id", "c.product_id")
    .innerJoin("members as seller", "seller.id", "products.seller_id")
    .innerJoin("messages as m", (join) =>
      join.onRef("m.conversation_id", "=", "c.id").onRef("m.sent_at", "=", "c.last_message_at"),
    )
    .leftJoin("blocked_members as block", (join) =>
      join
        .onRef("block.member_id", "=", "own.member_id")
        .onRef("block.blocked_id", "=", "side.member_id"),
    )
    .select(["own.conversation_id", "own.unread", "other.name as other_name"])
    .select(["products.id as product_id", "products.img", "products.resale_cents"])
    .select(stateColumn.as("state"))
    .select([shownNameColumn.as("shown_name"), isPaidFor.as("paid")])
    .select(maySendPhotos(memberId).as("may_send_photos"))
    .select(sql<AccountType>`own.role`.as("role"))
    .select(sql<boolean>`block.member_id is not null`.as("blocked"))
    .select(sql<boolean>`other.deleted_at is null and other.suspended_at is null`.as("active"))
    .select(messageColumns(memberId))
    .select(({ selectFrom }) =>
      jsonObjectFrom(
        selectFrom("bookings as deal")
          .select(["deal.id", "deal.price_cents"])
          .select(meetingColumn("deal.id", "deal.buyer_id").as("meeting"))
          .whereRef("deal.product_id", "=", "c.product_id")
          .whereRef("deal.buyer_id", "=", "c.buyer_id")
          .where("deal.state", "in", openBookingStates)
          .limit(1),
      ).as("deal"),
    )
    .where("own.member_id", "=", memberId);
}

type ConversationRow = InferResult<ReturnType<typeof selectConversations>>[number];

function toConversation(row: ConversationRow, self: string): Conversation {
  return {
    _id: row.conversation_id,
    product: {
      _id: row.product_id,
      product_name: row.shown_name ?? unnamedLaptop,
      img: row.state === "removed" ? null : row.img,
      price: toDollars(row.deal?.price_cents ?? row.resale_cents),
    },
    role: row.role,
    other: { name: row.other_name, active: row.active },
    unread: row.unread,
    blocked: row.blocked,
    paid: row.paid,
    maySendPhotos: row.may_send_photos,
    deal: row.deal && { _id: row.deal.id, meeting: toMeeting(row.deal.meeting) },
    lastMessage: toMessage(row, self),
  };
}

/** A limit for the export, which is not paginated. */
const everything = { limit: 100_000 };

export async function exportConversations(
  tx: Tx,
  member: Member,
): Promise<MemberData["conversations"]> {
  const { items } = await listConversations(tx, member, everything);
  const exported: MemberData["conversations"] = [];
  for (const { _id, role, blocked, product } of items) {
    const reading = { conversationId: _id, reader: member.id, self: member.id };
    const { items: messages } = await listMessagesOf(tx, reading, everything);
    const reports = await listComments(tx, member.id, _id);
    exported.push({ _id, role, blocked, product_name: product.product_name, messages, reports });
  }
  return exported;
}

async function listComments(tx: Tx, reporterId: string, conversationId: string) {
  const reports = await tx
    .selectFrom("conversation_reports")
    .select("comment")
    .where("reporter_id", "=", reporterId)
    .where("conversation_id", "=", conversationId)
    .orderBy("reported_at")
    .execute();
  return reports.map(({ comment }) => comment);
}

/** Others can read a deleted member's messages until `eraseMessages` runs. */
export async function deleteMessageSettings(tx: Tx, memberId: string): Promise<void> {
  await tx.deleteFrom("message_inboxes").where("member_id", "=", memberId).execute();
  await tx.deleteFrom("blocked_members").where("member_id", "=", memberId).execute();
  await deleteReplyTime(tx, memberId);
}

export async function eraseMessages(tx: Tx, memberIds: string[]): Promise<void> {
  await tx
    .updateTable("messages")
    .set({ text: "", masked_text: null })
    .where("sender_id", "in", memberIds)
    .execute();
}
