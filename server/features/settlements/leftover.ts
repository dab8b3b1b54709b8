import type { Tx } from "../../db/database.ts";
import { owedToBuyer } from "../booking-lifecycle/owed-to-buyer.ts";
import { dealJournals } from "../ledger/deal-journals.ts";
import { postedJournals } from "../ledger/post-journal.ts";

/**
 * What has come back to a deal after it was settled, and is nobody's until an admin sends it on, in cents: by a reversal
 * beyond what the seller owed, or a dispute that was won once its debt was paid.
 */
export async function readLeftover(tx: Tx, bookingId: string): Promise<number> {
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
  if (!settled) return 0;
  const journals = dealJournals(await postedJournals(tx, bookingId));
  return Math.max(0, journals.held() - (await owedToBuyer(tx, bookingId, journals)));
}
