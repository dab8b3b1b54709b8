import type { Tx } from "../../db/database.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import type { BookingEmail } from "../booking-lifecycle/booking-email.ts";
import { recordDealChange } from "../booking-lifecycle/deal-changes.ts";
import { notifyParties } from "../booking-lifecycle/notify-parties.ts";
import { applySettlement } from "../booking-lifecycle/settlement-transition.ts";
import { returnContribution } from "../credits/return-contribution.ts";
import { readDeal } from "../ledger/post-journal.ts";
import { reduceEarned } from "../ledger/reduce-earned.ts";
import { requireDecided } from "../money/lost-disputes.ts";
import { refundPart, refundWhole } from "../money/refund-booking.ts";
import { postRelease } from "../settlement-lifecycle/release-journal.ts";
import { complaintEmails } from "./emails.ts";

/** `atOnce`: all of the price goes back before the seller has the laptop back. */
type Decision = {
  bookingId: string;
  refundCents: number;
  words: string;
  actor: string | null;
  atOnce?: boolean;
};

/**
 * Closes a complaint: so many cents go back to the buyer, and the rest to the seller. All of the price waits until the
 * seller has the laptop back. Refuses `STALE` while the buyer's bank decides about the payment. The caller has locked
 * the booking and its complaint.
 */
export async function applyDecision(
  tx: Tx,
  deps: Deps,
  { bookingId, refundCents, words, actor, atOnce = false }: Decision,
): Promise<void> {
  const at = deps.clock.now();
  await requireDecided(tx, bookingId);
  const { reason, priceCents, ofCard } = await readMoney(tx, bookingId);
  const isWhole = refundCents >= priceCents && ofCard > 0;
  const waits = isWhole && !atOnce && reason !== "not_received";
  const returnBy = waits ? new Date(at.getTime() + deps.config.settlement.returnMs) : null;
  await tx
    .updateTable("complaints")
    .set({ decided_at: at, decided_by: actor, decision_words: words, refund_cents: refundCents })
    .set({ return_by: returnBy })
    .where("booking_id", "=", bookingId)
    .execute();
  const move = { bookingId, refundCents, actor };
  if (!returnBy) return await moveMoney(tx, deps, { ...move, email: complaintEmails.refunded });
  const by = { at, actor, verb: "ask for return", object: "booking", objectId: bookingId } as const;
  await recordAudit(tx, { ...by, detail: { refundCents } });
  await notifyParties(tx, deps, { bookingId, email: complaintEmails.toReturn, until: returnBy });
}

/**
 * The seller has the laptop back, so the refund that waits for it starts. Returns false if none does. Refuses `STALE`
 * while the buyer's bank decides about the payment. The caller has locked the booking.
 */
export async function completeReturn(
  tx: Tx,
  deps: Deps,
  { bookingId, actor }: { bookingId: string; actor: string },
): Promise<boolean> {
  const waiting = await tx
    .updateTable("complaints")
    .set({ return_by: null })
    .where("booking_id", "=", bookingId)
    .where("return_by", "is not", null)
    .returning("refund_cents")
    .executeTakeFirst();
  if (!waiting) return false;
  await requireDecided(tx, bookingId);
  const by = { at: deps.clock.now(), actor, object: "booking", objectId: bookingId } as const;
  await recordAudit(tx, { ...by, verb: "confirm return", detail: {} });
  await recordDealChange(tx, bookingId);
  const move = { bookingId, refundCents: waiting.refund_cents ?? 0, actor };
  await moveMoney(tx, deps, { ...move, email: complaintEmails.returned });
  return true;
}

/** `ofCard`: what the card paid of what is held. What the bank or an admin at the provider has given back is no longer there. */
async function readMoney(tx: Tx, bookingId: string) {
  const { reason, price_cents: priceCents } = await tx
    .selectFrom("complaints")
    .innerJoin("bookings", "bookings.id", "complaints.booking_id")
    .select(["complaints.reason", "bookings.price_cents"])
    .where("bookings.id", "=", bookingId)
    .executeTakeFirstOrThrow();
  const journals = await readDeal(tx, { bookingId });
  const held = journals.held();
  const ofCard = Math.min(held, journals.paidByCard() - journals.owed());
  return { reason, priceCents, held, ofCard };
}

/** `email`: what both are told if all of it goes back. */
type Outcome = Pick<Decision, "bookingId" | "refundCents" | "actor"> & { email: BookingEmail };

async function moveMoney(
  tx: Tx,
  deps: Deps,
  { bookingId, refundCents, actor, email }: Outcome,
): Promise<void> {
  const at = deps.clock.now();
  await tx.deleteFrom("handover_codes").where("booking_id", "=", bookingId).execute();
  const move = { bookingId, at, actor, detail: { refundCents } };
  const { priceCents, held, ofCard } = await readMoney(tx, bookingId);
  if (ofCard <= 0) return await closePaidBack(tx, deps, move);
  if (refundCents === 0) {
    await applySettlement(tx, { ...move, transition: "startRelease" });
    await postRelease(tx, deps, { bookingId, id: "complaint" });
    await notifyParties(tx, deps, { bookingId, email: complaintEmails.rejected });
    return;
  }
  await applySettlement(tx, { ...move, transition: "startRefund" });
  if (refundCents >= priceCents) {
    await refundWhole(tx, deps, { bookingId, at, actor });
    await notifyParties(tx, deps, { bookingId, email });
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
