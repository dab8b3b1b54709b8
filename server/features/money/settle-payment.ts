import type { Intent } from "../../adapters/cards/port.ts";
import { type Tx, transact } from "../../db/database.ts";
import { newId } from "../../db/ids.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { bookingEmails } from "../deals/deal-emails.ts";
import { lockActiveParties } from "../deals/lock-deal.ts";
import { notifyParties } from "../deals/notify-parties.ts";
import { applyTransition } from "../deals/transition.ts";
import type { DealJournals } from "../ledger/deal-journals.ts";
import { dealOf, postPayment } from "../ledger/post-payment.ts";
import { recordCard } from "../rewards/suspect-friend.ts";
import { recordDisputes } from "./disputes.ts";
import { followRefund, recordRefunds } from "./follow-refund.ts";
import { startRefund } from "./refund-booking.ts";
import { decide, followDecision } from "./split-money.ts";

/** `repeated`: the payment was recorded before. `fulfilled`: the payment is kept, not refunded. */
type Settled = { paymentId: string; repeated: boolean; fulfilled: boolean };

type PaymentSource = "buyer" | "reconciler" | "webhook";

/**
 * Records a payment exactly once, whoever reports it, with its disputes and refunds. Refunds it if
 * the booking can't be paid. Undefined if the intent hasn't succeeded or has no booking.
 */
export async function settlePayment(
  deps: Deps,
  intent: Intent,
  source: PaymentSource,
): Promise<Settled | undefined> {
  const { bookingId } = intent;
  if (intent.status !== "succeeded" || bookingId === undefined) return undefined;
  return await transact(deps.db, `settle ${intent.id}`, async (tx) => {
    // Concurrent reports wait for this lock, so the second finds the payment recorded by the first.
    const booking = await lockBooking(tx, bookingId);
    if (!booking) return undefined;
    const recorded = await findRecorded(tx, intent.id);
    const payment = recorded ?? (await recordNewPayment(tx, deps, { booking, intent, source }));
    const report = { ...payment, booking, intent, isNew: recorded === undefined };
    const fulfilled = await recordReport(tx, deps, report);
    return { paymentId: payment.paymentId, repeated: !report.isNew, fulfilled };
  });
}

type Booking = NonNullable<Awaited<ReturnType<typeof lockBooking>>>;

async function lockBooking(tx: Tx, bookingId: string) {
  return await tx
    .selectFrom("bookings")
    .select(["id", "buyer_id", "product_id", "price_cents", "discount_cents", "credit_cents"])
    .select("intent_id")
    .where("id", "=", bookingId)
    .forUpdate()
    .executeTakeFirst();
}

type Report = {
  booking: Booking;
  intent: Intent;
  paymentId: string;
  goesBack: boolean;
  isNew: boolean;
};

/**
 * Records disputes and refunds, posts the payment, and acts on the changes. Returns whether the
 * payment is kept.
 */
async function recordReport(
  tx: Tx,
  deps: Deps,
  { booking, intent, paymentId, goesBack, isNew }: Report,
): Promise<boolean> {
  const at = deps.clock.now();
  const { id: bookingId, buyer_id: buyerId } = booking;
  const disputeStates = await recordDisputes(tx, deps, { bookingId, paymentId, intent, goesBack });
  const { failed, elsewhere } = await recordRefunds(tx, { bookingId, paymentId, intent, at });
  const deal = { bookingId, currency: intent.currency, at };
  const journals = await postPayment(tx, dealOf(deal, booking.intent_id, intent.id), {
    intent,
    disputeStates,
    goesBack,
    // If discount or credit was used, the deal already has journals, which must be read.
    isNew: isNew && reductionOf(booking) === 0,
  });
  if (isNew) await recordCard(tx, { buyerId, cardFingerprint: intent.cardFingerprint, at });
  if (intent.refunds.length > 0 || intent.disputes.length > 0) await followDecision(tx, deal);
  const given = { bookingId, intent, journals };
  const cancelled = !goesBack && (await cancelIfGivenBack(tx, deps, given));
  if (!cancelled)
    for (const { amountCents: refundedCents } of elsewhere) {
      const by = { at, actor: null, object: "payment", objectId: paymentId } as const;
      await recordAudit(tx, { ...by, verb: "refund elsewhere", detail: { refundedCents } });
    }
  for (const { id: refundId, failureReason: reason = "unknown" } of failed)
    await followRefund(tx, deps, { paymentId, failed: { reason, refundId } });
  if (failed.length === 0) await followRefund(tx, deps, { paymentId });
  return !goesBack && !cancelled;
}

type Given = { bookingId: string; intent: Intent; journals: DealJournals };

/** Cancels the sale if the buyer has the whole payment back. Returns whether it was canceled. */
async function cancelIfGivenBack(
  tx: Tx,
  deps: Deps,
  { bookingId, intent, journals }: Given,
): Promise<boolean> {
  if (journals.paidByCard() + journals.balance("dispute_reserve") > 0) return false;
  const by = { bookingId, at: deps.clock.now(), actor: null };
  if (intent.refundedCents === intent.amountCents)
    return (await startRefund(tx, deps, by)) !== undefined;
  if (!(await applyTransition(tx, { ...by, transition: "refund" }))) return false;
  await decide(tx, deps, { bookingId, actor: null, toBuyer: "all" });
  return true;
}

type NewIntentPayment = { booking: Booking; intent: Intent; source: PaymentSource };

async function recordNewPayment(tx: Tx, deps: Deps, { booking, intent, source }: NewIntentPayment) {
  const at = deps.clock.now();
  const due = booking.price_cents - reductionOf(booking);
  const inFull = intent.amountCents === due && intent.currency === deps.shop.currency;
  const email = inFull ? await fulfilBooking(tx, booking, at) : undefined;
  const fulfilled = email !== undefined;
  const paymentId = newId(at);
  await tx
    .insertInto("payments")
    .values({
      id: paymentId,
      transaction_id: intent.id,
      booking_id: booking.id,
      amount_cents: intent.amountCents,
      currency: intent.currency,
      goes_back: !fulfilled,
      recorded_at: at,
    })
    .execute();
  const by = { at, actor: null, object: "payment", objectId: paymentId } as const;
  const detail = { source, fulfilled, amountCents: intent.amountCents };
  await recordAudit(tx, { ...by, verb: "settle", detail });
  const payment = { transactionId: intent.id, cents: intent.amountCents };
  if (email) await notifyParties(tx, deps, { bookingId: booking.id, email, payment });
  return { paymentId, goesBack: !fulfilled };
}

function reductionOf({ discount_cents, credit_cents }: Booking): number {
  return discount_cents + credit_cents;
}

async function findRecorded(tx: Tx, transactionId: string) {
  return await tx
    .selectFrom("payments")
    .select(["id as paymentId", "goes_back as goesBack"])
    .where("transaction_id", "=", transactionId)
    .executeTakeFirst();
}

/** Marks a hold, even an ended one, as paid. Returns the email to send, or undefined on failure. */
async function fulfilBooking(tx: Tx, booking: Booking, at: Date) {
  const { id: bookingId, buyer_id: buyerId, product_id: productId } = booking;
  const move = { bookingId, at, actor: buyerId };
  if (await applyTransition(tx, { ...move, transition: "pay" })) return bookingEmails.paid;
  // Discount and credit were returned when the hold ended, so this payment doesn't cover the price.
  if (reductionOf(booking) > 0) return undefined;
  if (!(await lockActiveParties(tx, { buyerId, productId }))) return undefined;
  if (!(await applyTransition(tx, { ...move, transition: "reclaim" }))) return undefined;
  return bookingEmails.reclaimed;
}
