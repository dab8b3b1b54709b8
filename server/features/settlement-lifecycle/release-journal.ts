import type { Tx } from "../../db/database.ts";
import type { Deps } from "../../deps.ts";
import { owedToBuyer } from "../booking-lifecycle/owed-to-buyer.ts";
import { dealJournals } from "../ledger/deal-journals.ts";
import { type JournalSubject, postedJournals, postJournals } from "../ledger/post-journal.ts";

export type Deal = JournalSubject & { bookingId: string };

/** The shop's fee for a sale of so many cents. */
export function feeOf(cents: number, percent: number): number {
  return Math.round((cents * percent) / 100);
}

/**
 * Posts that what a deal holds is the seller's, less the fee agreed at the hold and what the buyer is owed; `id` tells
 * one time from another. Returns the cents still to be sent to them. The caller has locked the booking.
 */
export async function postRelease(
  tx: Tx,
  { config, clock }: Deps,
  { bookingId, id }: { bookingId: string; id: string },
): Promise<number> {
  const deal: Deal = { bookingId, currency: config.currency, at: clock.now() };
  const journals = dealJournals(await postedJournals(tx, bookingId));
  const { fee_percent } = await tx
    .selectFrom("bookings")
    .select("fee_percent")
    .where("id", "=", bookingId)
    .executeTakeFirstOrThrow();
  const keptCents = await owedToBuyer(tx, bookingId, journals);
  const due = journals.release(`${bookingId}:${id}`, {
    feeOf: (cents) => feeOf(cents, fee_percent),
    keptCents,
  });
  await postJournals(tx, deal, journals.added());
  return due;
}
