import { sql } from "kysely";
import type { ConversationReport, Message } from "#contract/messages.ts";
import { type Tx, transact } from "../../db/database.ts";
import type { Member } from "../../db/member.ts";
import { newestFirst, type Page, type Paging } from "../../db/pagination.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { unnamedLaptop } from "../../email/email-phrases.ts";
import { orNotFound } from "../../errors.ts";
import { insertReport } from "../reports/reports.ts";
import { shownNameColumn } from "../saved/saved-products.ts";
import { refuseOwnCase } from "../staff/conflict-of-interest.ts";
import { findOtherMember, listMessagesOf } from "./conversations.ts";

const noReport = orNotFound("This report was closed, or never existed.");

/** Throws `NOT_FOUND`. Throws `ALREADY_REPORTED` if an earlier report by the member is open. */
export async function reportConversation(
  { db, clock }: Deps,
  member: Member,
  { id: conversationId, comment }: { id: string; comment: string },
): Promise<string> {
  const at = clock.now();
  return await transact(db, "reportConversation", async (tx) => {
    await findOtherMember(tx, member, conversationId);
    const about = { object: "conversation", objectId: conversationId } as const;
    return await insertReport(tx, member, { ...about, comment, at });
  });
}

export async function listConversationReports(
  tx: Tx,
  paging: Paging,
): Promise<Page<ConversationReport>> {
  const reports = tx
    .selectFrom("conversation_reports as report")
    .innerJoin("conversations as c", "c.id", "report.conversation_id")
    .innerJoin("products", "products.id", "c.product_id")
    .innerJoin("members as seller", "seller.id", "products.seller_id")
    .innerJoin("members as reporter", "reporter.id", "report.reporter_id")
    .innerJoin("conversation_members as side", (join) =>
      join
        .onRef("side.conversation_id", "=", "c.id")
        .onRef("side.member_id", "!=", "report.reporter_id"),
    )
    .innerJoin("members as other", "other.id", "side.member_id")
    .select(["report.id", "report.comment", "report.reported_at", "c.product_id"])
    .select(["reporter.name as reporter_name", "reporter.email as reporter_email"])
    .select(["other.name as other_name", "other.email as other_email"])
    .select(shownNameColumn.as("shown_name"))
    .select(sql<boolean>`report.reporter_id = c.buyer_id`.as("by_buyer"))
    .where("report.closed_at", "is", null);
  const order = { at: "report.reported_at", id: "report.id" } as const;
  return await newestFirst(reports, { ...order, ...paging }, (row) => ({
    _id: row.id,
    comment: row.comment,
    reportedAt: row.reported_at.toISOString(),
    product: { _id: row.product_id, product_name: row.shown_name ?? unnamedLaptop },
    reporter: {
      name: row.reporter_name,
      email: row.reporter_email,
      role: row.by_buyer ? ("buyer" as const) : ("seller" as const),
    },
    other: { name: row.other_name, email: row.other_email },
  }));
}

/** Lists messages, newest first. Audits the admin's access. Throws `NOT_FOUND`. */
export async function readReportedMessages(
  { db, clock }: Deps,
  admin: Member,
  { id, ...paging }: Paging & { id: string },
): Promise<Page<Message>> {
  const at = clock.now();
  return await transact(db, "readReportedMessages", async (tx) => {
    const report = await tx
      .selectFrom("conversation_reports")
      .select(["conversation_id", "reporter_id"])
      .where("id", "=", id)
      .where("closed_at", "is", null)
      .executeTakeFirstOrThrow(noReport);
    const what = { object: "conversation", objectId: report.conversation_id } as const;
    await recordAudit(tx, { at, actor: admin.id, verb: "read", ...what });
    const { conversation_id: conversationId, reporter_id: self } = report;
    return await listMessagesOf(tx, { conversationId, reader: null, self }, paging);
  });
}

/** Throws `NOT_FOUND`, or `FORBIDDEN` for the reported member. */
export async function closeConversationReport(
  { db, clock }: Deps,
  admin: Member,
  id: string,
): Promise<void> {
  const at = clock.now();
  await transact(db, "closeConversationReport", async (tx) => {
    const closed = await tx
      .updateTable("conversation_reports as report")
      .from("conversation_members as side")
      .whereRef("side.conversation_id", "=", "report.conversation_id")
      .whereRef("side.member_id", "!=", "report.reporter_id")
      .set({ closed_at: at })
      .where("report.id", "=", id)
      .where("report.closed_at", "is", null)
      .returning(["report.conversation_id", "side.member_id"])
      .executeTakeFirstOrThrow(noReport);
    refuseOwnCase(admin, closed.member_id);
    const what = { object: "conversation", objectId: closed.conversation_id } as const;
    await recordAudit(tx, { at, actor: admin.id, verb: "close report", ...what });
  });
}
