import type { Tx } from "../../db/database.ts";
import { type DealJournals, dealJournals } from "../ledger/deal-journals.ts";
import { postedJournals } from "../ledger/post-journal.ts";

/**
 * Of the part that a decided complaint gives the buyer, what they don't have yet, in cents: it is still to be refunded,
 * or their bank sent it back. It counts how they got it, so also what an admin or their bank gave them.
 */
export async function owedToBuyer(
  tx: Tx,
  bookingId: string,
  journals?: DealJournals,
): Promise<number> {
  const part = await tx
    .selectFrom("partial_refunds")
    .innerJoin("complaints", "complaints.booking_id", "partial_refunds.booking_id")
    .select(["partial_refunds.cents", "complaints.paid_back_cents"])
    .where("partial_refunds.booking_id", "=", bookingId)
    .where("partial_refunds.attempt", "=", 1)
    .executeTakeFirst();
  if (!part) return 0;
  const deal = journals ?? dealJournals(await postedJournals(tx, bookingId));
  return Math.max(0, part.cents - (deal.paidBack() - part.paid_back_cents));
}
