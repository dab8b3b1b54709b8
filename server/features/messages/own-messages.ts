import type { MemberData } from "#contract/account.ts";
import type { Tx } from "../../db/database.ts";
import type { Member } from "../../db/member.ts";
import { deleteReplyTime } from "../reviews/reply-time.ts";
import { listConversations, listMessagesOf } from "./conversations.ts";

/** A limit above any member's number of rows, because the export is not paginated. */
const everything = { limit: 100_000 };

/** The member's conversations, for the export of their data. */
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

/** Deletes a deleted member's settings. Others can still read their messages until the erasure. */
export async function deleteMessageSettings(tx: Tx, memberId: string): Promise<void> {
  await tx.deleteFrom("message_inboxes").where("member_id", "=", memberId).execute();
  await tx.deleteFrom("blocked_members").where("member_id", "=", memberId).execute();
  await deleteReplyTime(tx, memberId);
}

/** Erases the text that deleted members wrote. */
export async function eraseMessages(tx: Tx, memberIds: string[]): Promise<void> {
  await tx
    .updateTable("messages")
    .set({ text: "", masked_text: null })
    .where("sender_id", "in", memberIds)
    .execute();
  await tx
    .updateTable("conversation_reports")
    .set({ comment: "" })
    .where("reporter_id", "in", memberIds)
    .execute();
}
