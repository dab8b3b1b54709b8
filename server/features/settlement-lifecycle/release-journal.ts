import type { Tx } from "../../db/database.ts";
import type { Deps } from "../../deps.ts";
import { changeDeal } from "../ledger/post-journal.ts";

/** The shop's fee for a sale of so many cents. */
export function feeOf(cents: number, percent: number): number {
  return Math.round((cents * percent) / 100);
}

/**
 * Posts that what a deal holds is the seller's, less the fee agreed at the hold; `id` tells
 * one time from another. Returns the cents still to be sent to them. The caller has locked the booking.
 */
export async function postRelease(
  tx: Tx,
  { config, clock }: Deps,
  { bookingId, id }: { bookingId: string; id: string },
): Promise<number> {
  const { fee_percent } = await tx
    .selectFrom("bookings")
    .select("fee_percent")
    .where("id", "=", bookingId)
    .executeTakeFirstOrThrow();
  const deal = { bookingId, currency: config.currency, at: clock.now() };
  return await changeDeal(tx, deal, (journals) =>
    journals.release(`${bookingId}:${id}`, (cents) => feeOf(cents, fee_percent)),
  );
}
