import { sql } from "kysely";
import type { Tx } from "../../db/database.ts";
import { recordAudit } from "../../db/record-audit.ts";
import { changeDeal, type Deal } from "../ledger/post-journal.ts";
import { isSamePerson } from "../rewards/member-traces.ts";
import { reduceEarned } from "./refunded-amounts.ts";

/** SQL on `settlements`: whether no discount of the deal is in review (decisions/rewards). */
export const mayBePaidOut = sql<boolean>`not exists (
  select from invitations i
  where i.discount_booking_id = settlements.booking_id and i.state = 'review')`;

/**
 * Takes back a refused discount if traces show that the seller is the friend or the inviter.
 * Requires a locked booking.
 */
export async function takeBackRefusedDiscount(tx: Tx, deal: Deal, sellerId: string): Promise<void> {
  const { bookingId, at } = deal;
  const refused = await tx
    .selectFrom("invitations")
    .select(["inviter_id", "friend_id"])
    .where("discount_booking_id", "=", bookingId)
    .where("state", "=", "refused")
    .executeTakeFirst();
  if (!refused) return;
  const others = [refused.inviter_id, ...(refused.friend_id ? [refused.friend_id] : [])];
  if (!(await isSamePerson(tx, sellerId, others))) return;
  const cents = await changeDeal(tx, deal, (journals) => journals.takeBackDiscount(bookingId));
  if (cents === 0) return;
  await reduceEarned(tx, bookingId, cents);
  const by = { at, actor: null, verb: "take back discount", object: "booking" } as const;
  await recordAudit(tx, { ...by, objectId: bookingId, detail: { cents } });
}
