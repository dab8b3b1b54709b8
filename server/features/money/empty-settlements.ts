import type { Tx } from "../../db/database.ts";
import { applySettlement } from "../booking-lifecycle/settlement-transition.ts";
import { returnContribution } from "../credits/return-contribution.ts";
import type { DealJournals } from "../ledger/deal-journals.ts";
import { readDeal } from "../ledger/post-journal.ts";
import { reduceEarned } from "../ledger/reduce-earned.ts";

/**
 * Ends a settlement that waits to be paid out although all of the money went back to the buyer, whether its seller has
 * an account or not. Does nothing while a bank decides or a transfer is under way. The caller has locked the booking.
 */
export async function closeIfEmpty(
  tx: Tx,
  { bookingId, at }: { bookingId: string; at: Date },
): Promise<boolean> {
  const waiting = await tx
    .selectFrom("settlements")
    .innerJoin("bookings", "bookings.id", "settlements.booking_id")
    .select("settlements.booking_id")
    .where("settlements.booking_id", "=", bookingId)
    .where("settlements.state", "=", "releasing")
    .where("bookings.payout_held_at", "is", null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("money_moves")
            .select("id")
            .where("money_moves.booking_id", "=", bookingId)
            .whereRef("money_moves.round", "=", "settlements.round")
            .where("money_moves.state", "in", ["intended", "made"]),
        ),
      ),
    )
    .executeTakeFirst();
  if (!waiting) return false;
  let journals = await readDeal(tx, { bookingId });
  if (
    journals.contributed() > 0 &&
    journals.paidByCard() <= 0 &&
    // Of a part that the shop has refunded, discount and credit that are left are the seller's.
    journals.count("refund_decided") === 0
  ) {
    const { cents } = await returnContribution(tx, { bookingId, at });
    await reduceEarned(tx, bookingId, cents);
    journals = await readDeal(tx, { bookingId });
  }
  if (journals.held() + journals.due() > 0) return false;
  return await applySettlement(tx, {
    ...{ bookingId, at, actor: null },
    transition: endOfEmpty(journals),
  });
}

/** How a settlement ends that has nothing to send: its seller may have got something before. */
export function endOfEmpty(journals: DealJournals): "payOut" | "findEmpty" {
  return journals.transferred() > 0 ? "payOut" : "findEmpty";
}
