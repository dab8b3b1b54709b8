import type { Tx } from "../../db/database.ts";
import { changeDeal } from "../ledger/post-journal.ts";

type Return = { bookingId: string; at: Date; most?: number; id?: string };

/** `cents`: the total returned. `creditCents`: the part that is the buyer's credit. */
type Returned = { cents: number; creditCents: number };

/**
 * Returns the shop's contribution to a deal that ended: the credit to the buyer, and the discount
 * to the invitation, for another purchase. For a partial refund, `most` limits the cents to the
 * part that the buyer's card didn't pay. A repeated call with the same `id` changes nothing. The
 * caller has locked the booking.
 */
export async function returnContribution(
  tx: Tx,
  { bookingId, at, most, id = bookingId }: Return,
): Promise<Returned> {
  let returned: Returned = { cents: 0, creditCents: 0 };
  if (most === 0) return returned;
  const booking = await tx
    .selectFrom("bookings")
    .innerJoin("ledger_journals", "ledger_journals.booking_id", "bookings.id")
    .select(["ledger_journals.currency", "discount_cents"])
    .where("bookings.id", "=", bookingId)
    .where(({ eb, ref }) => eb(eb("discount_cents", "+", ref("credit_cents")), ">", 0))
    .limit(1)
    .executeTakeFirst();
  if (booking) {
    const deal = { bookingId, currency: booking.currency, at };
    const isLeft = await changeDeal(tx, deal, (journals) => {
      const before = { cents: journals.contributed(), creditCents: journals.balance("credits") };
      journals.returnContribution(id, most ?? Number.MAX_SAFE_INTEGER);
      returned = {
        cents: before.cents - journals.contributed(),
        creditCents: before.creditCents - journals.balance("credits"),
      };
      return journals.balance("marketing") > 0;
    });
    if (isLeft) return returned;
  }
  // A partial refund doesn't forfeit a missed discount, which is paid as credit later.
  if (most !== undefined && !booking?.discount_cents) return returned;
  await tx
    .updateTable("invitations")
    .set({ discount_booking_id: null })
    .where("discount_booking_id", "=", bookingId)
    .execute();
  return returned;
}
