import type { Message } from "#contract/messages.ts";
import { type Tx, transact } from "../../db/database.ts";
import type { Member } from "../../db/member.ts";
import type { Page, Paging } from "../../db/pagination.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";
import { listMessagesOf } from "../messages/conversations.ts";
import { isOpenCase } from "../messages/shown-text.ts";

type Wanted = Paging & { bookingId: string };

/**
 * The messages of a deal, newest first, for an admin. The audit log records the access. Throws
 * `NOT_FOUND` unless a complaint or dispute about the deal is open.
 */
export async function listDealMessages(
  { db, clock }: Deps,
  admin: Member,
  { bookingId, ...paging }: Wanted,
): Promise<Page<Message>> {
  return await transact(db, "listDealMessages", async (tx) => {
    const deal = await findOpenCase(tx, bookingId);
    if (deal.conversation_id === null) return { items: [], next: undefined };
    const what = { object: "conversation", objectId: deal.conversation_id } as const;
    await recordAudit(tx, { at: clock.now(), actor: admin.id, verb: "read", ...what });
    const reading = { conversationId: deal.conversation_id, reader: null, self: deal.buyer_id };
    return await listMessagesOf(tx, reading, paging);
  });
}

async function findOpenCase(tx: Tx, bookingId: string) {
  const deal = await tx
    .selectFrom("bookings as b")
    .leftJoin("conversations as c", (join) =>
      join.onRef("c.product_id", "=", "b.product_id").onRef("c.buyer_id", "=", "b.buyer_id"),
    )
    .select(["b.buyer_id", "c.id as conversation_id"])
    .where("b.id", "=", bookingId)
    .where(isOpenCase)
    .executeTakeFirst();
  if (!deal)
    throw new AppError(
      "NOT_FOUND",
      "Messages of a deal can be read only while a complaint or dispute about it is open.",
    );
  return deal;
}
