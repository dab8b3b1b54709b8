import type { Tx } from "../../db/database.ts";
import type { Deps } from "../../deps.ts";
import { notifyParties } from "../booking-lifecycle/notify-parties.ts";
import { applySettlement } from "../booking-lifecycle/settlement-transition.ts";
import { returnContribution } from "../credits/return-contribution.ts";
import { readDeal } from "../ledger/post-journal.ts";
import { reduceEarned } from "../ledger/reduce-earned.ts";
import { requireDecided } from "../money/lost-disputes.ts";
import { refundPart, refundWhole } from "../money/refund-booking.ts";
import { postRelease } from "../settlement-lifecycle/release-journal.ts";
import { complaintEmails } from "./emails.ts";

type Decision = { bookingId: string; refundCents: number; words: string; actor: string | null };

/**
 * Closes a complaint: so many cents go back to the buyer, and the rest to the seller. Refuses `STALE` while the buyer's
 * bank decides about the payment. The caller has locked the booking and its complaint.
 */
export async function applyDecision(
  tx: Tx,
  deps: Deps,
  { bookingId, refundCents, words, actor }: Decision,
): Promise<void> {
  const at = deps.clock.now();
  await requireDecided(tx, bookingId);
  const journals = await readDeal(tx, { bookingId });
  await tx
    .updateTable("complaints")
    .set({ decided_at: at, decided_by: actor, decision_words: words, refund_cents: refundCents })
    .where("booking_id", "=", bookingId)
    .execute();
  const move = { bookingId, at, actor, detail: { refundCents } };
  // What the bank or an admin at the provider has given back is no longer there.
  const held = journals.held();
  const ofCard = Math.min(held, journals.paidByCard() - journals.owed());
  if (ofCard <= 0) return await closePaidBack(tx, deps, move);
  if (refundCents === 0) {
    await applySettlement(tx, { ...move, transition: "startRelease" });
    await postRelease(tx, deps, { bookingId, id: "complaint" });
    await notifyParties(tx, deps, { bookingId, email: complaintEmails.rejected });
    return;
  }
  await applySettlement(tx, { ...move, transition: "startRefund" });
  const { price_cents } = await tx
    .selectFrom("bookings")
    .select("price_cents")
    .where("id", "=", bookingId)
    .executeTakeFirstOrThrow();
  if (refundCents >= price_cents) {
    await refundWhole(tx, deps, { bookingId, at, actor });
    await notifyParties(tx, deps, { bookingId, email: complaintEmails.refunded });
    return;
  }
  // Money first: only what the card has not paid goes back to credit and discount, at once.
  const part = Math.min(refundCents, held);
  const cents = Math.min(part, ofCard);
  if (part > cents) await returnContribution(tx, { bookingId, at, most: part - cents });
  await refundPart(tx, deps, { bookingId, cents });
  await recordPart(tx, bookingId, part);
  const payment = { transactionId: "", cents, sellerCents: part };
  await notifyParties(tx, deps, { bookingId, email: complaintEmails.partlyRefunded, payment });
}

type Closing = {
  bookingId: string;
  at: Date;
  actor: string | null;
  detail: { refundCents: number };
};

/** The buyer has all that they paid by card: there is nothing to decide about, and discount and credit go back too. */
async function closePaidBack(tx: Tx, deps: Deps, { bookingId, ...move }: Closing): Promise<void> {
  const { cents } = await returnContribution(tx, { bookingId, at: move.at });
  await reduceEarned(tx, bookingId, cents);
  await applySettlement(tx, { bookingId, ...move, transition: "findEmpty" });
  await notifyParties(tx, deps, { bookingId, email: complaintEmails.paidBack });
}

/** The seller has earned that much less, whenever and however the part arrives at the buyer. */
async function recordPart(tx: Tx, bookingId: string, cents: number): Promise<void> {
  await tx
    .updateTable("payments")
    .set({ part_refunded_cents: cents })
    .where("booking_id", "=", bookingId)
    .where("state", "=", "succeeded")
    .execute();
}
