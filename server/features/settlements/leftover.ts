import type { Tx } from "../../db/database.ts";
import { owedToBuyer } from "../booking-lifecycle/owed-to-buyer.ts";
import { type DealJournals, dealJournals } from "../ledger/deal-journals.ts";
import { postedJournals } from "../ledger/post-journal.ts";

/**
 * What has come back to a deal after it was settled, and is nobody's until an admin sends it on, in cents: by a reversal
 * beyond what the seller owed, or a dispute that was won once its debt was paid. `toBuyerCents`: what the buyer can get
 * of it, because they have paid it by card.
 */
export async function readLeftover(tx: Tx, bookingId: string): Promise<Leftover> {
  const settled = await tx
    .selectFrom("settlements")
    .innerJoin("bookings", "bookings.id", "settlements.booking_id")
    .select("settlements.booking_id")
    .where("settlements.booking_id", "=", bookingId)
    .where("settlements.state", "in", ["released", "refunded"])
    .where("settlements.handed_over_at", "is not", null)
    .where("bookings.payout_held_at", "is", null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("payments")
          .select("id")
          .whereRef("payments.booking_id", "=", "settlements.booking_id")
          .where("payments.state", "=", "succeeded"),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("partial_refunds")
            .select("id")
            .whereRef("partial_refunds.booking_id", "=", "settlements.booking_id")
            .where(({ or, eb }) =>
              or([eb("next_look_at", "is not", null), eb("given_up_at", "is not", null)]),
            ),
        ),
      ),
    )
    .executeTakeFirst();
  if (!settled) return { cents: 0, toBuyerCents: 0 };
  const journals = dealJournals(await postedJournals(tx, bookingId));
  const owed = await owedToBuyer(tx, bookingId, journals);
  const cents = Math.max(0, journals.held() - owed);
  return { cents, toBuyerCents: toBuyerOf(cents, journals) };
}

export function toBuyerOf(cents: number, journals: DealJournals): number {
  return Math.max(0, Math.min(cents, journals.paidByCard()));
}

type Leftover = { cents: number; toBuyerCents: number };
