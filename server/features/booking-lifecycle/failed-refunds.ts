import { paymentTransitions } from "#contract/life-cycle.ts";
import type { Intent } from "../../adapters/cards/port.ts";
import { type Tx, transact } from "../../db/database.ts";
import { enqueue } from "../../db/job-queue.ts";
import type { Member } from "../../db/member.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";
import { otherIntent, postSentRefund } from "../ledger/post-payment.ts";
import type { BookingEmail } from "./booking-email.ts";
import { bookingEmails } from "./emails.ts";
import { notifyParties } from "./notify-parties.ts";
import { retryDelaysMs } from "./refund-retries.ts";
import { readUnsentCents, requireDecided } from "./refunded-and-disputed.ts";

type RefundedPayment = { bookingId: string; paymentId: string; intent: Intent };

/** If the refund of a payment has failed at the bank, makes it due again, or hands it to an admin. */
export async function applyFailedRefund(
  tx: Tx,
  deps: Deps,
  { bookingId, paymentId, intent }: RefundedPayment,
): Promise<void> {
  const { from, to } = paymentTransitions.failRefund;
  const payment = await tx
    .selectFrom("payments")
    .select(["refund_id", "failed_refunds"])
    .where("id", "=", paymentId)
    // It may have been pending.
    .where("state", "in", [from, to])
    .executeTakeFirst();
  const refund = intent.refunds.find(
    ({ id, state }) => state === "failed" && id === payment?.refund_id,
  );
  if (!payment || !refund) return;
  const at = deps.clock.now();
  const failures = payment.failed_refunds + 1;
  const delayMs = retryDelaysMs[failures - 1];
  const retryAt = delayMs === undefined ? null : new Date(at.getTime() + delayMs);
  await tx
    .updateTable("payments")
    .set({ state: to, refund_id: null, refunded_at: null, failed_refunds: failures })
    .set({ refund_retry_at: retryAt })
    .where("id", "=", paymentId)
    .execute();
  const reason = refund.failureReason ?? "unknown";
  await recordAudit(tx, {
    ...{ at, actor: null, verb: "failRefund", object: "payment", objectId: paymentId },
    detail: { reason, refundId: refund.id, ...(retryAt && { retryAt: retryAt.toISOString() }) },
  });
  if (retryAt) await enqueue(tx, "refundPayment", { payload: { paymentId }, runAt: retryAt });
  else await giveUpRefund(tx, deps, { bookingId, paymentId, reason });
}

type RefusedRefund = {
  bookingId: string;
  paymentId: string;
  reason: string;
};

/** Why the rest of a payment is not refunded of which the buyer's bank has given back a part. */
export const partlyDisputed = "partly_disputed";

/** Why the rest of a payment is not refunded of which an admin has sent a part in another way. */
export const partlySent = "partly_sent";

/** The provider's codes for a payment about which the buyer's bank decides. */
const bankDecides = ["charge_disputed", "refund_disputed_payment"];

/** What an admin is told to do. */
function toDoAbout(reason: string): string {
  if (bankDecides.includes(reason))
    return "nothing now, because the buyer's bank decides about the money";
  if (reason === partlyDisputed)
    return "ask the buyer how to send what their bank has not given back, then press Sent another way in Payments";
  if (reason === partlySent)
    return "the buyer's bank has taken back what it had given them: ask the buyer how to send the rest, then press Sent another way in Payments";
  return "ask the buyer how to send the money in another way, then press Sent another way in Payments; or try again there";
}

const refundEmails: Record<string, BookingEmail> = {
  [partlyDisputed]: bookingEmails.refundPartlyDisputed,
  [partlySent]: bookingEmails.refundRestOwed,
};

/** Hands a refund to an admin: it failed too often, or can't be sent to the card. Returns whether it was due. */
export async function giveUpRefund(
  tx: Tx,
  deps: Deps,
  { bookingId, paymentId, reason }: RefusedRefund,
): Promise<boolean> {
  const { from, to } = paymentTransitions.giveUpRefund;
  const payment = await tx
    .updateTable("payments")
    .set({ state: to, refund_retry_at: null })
    .where("id", "=", paymentId)
    .where("state", "=", from)
    .where("refund_id", "is", null)
    .returning("transaction_id")
    .executeTakeFirst();
  if (!payment) return false;
  await recordAudit(tx, {
    ...{ at: deps.clock.now(), actor: null, verb: "giveUpRefund" },
    ...{ object: "payment", objectId: paymentId },
    detail: { reason, toDo: toDoAbout(reason) },
  });
  const about = {
    transactionId: payment.transaction_id,
    cents: await readUnsentCents(tx, paymentId),
  };
  const email = refundEmails[reason] ?? bookingEmails.refundFailed;
  // In a dispute the buyer deals with their bank; its event may not have arrived.
  if (bankDecides.includes(reason)) {
    await enqueue(tx, "settleIntent", { payload: { intentId: payment.transaction_id } });
    return true;
  }
  await notifyParties(tx, deps, { bookingId, email, payment: about });
  return true;
}

/**
 * Marks what is left of a refund that was given up as sent to the buyer in another way.
 * Refuses `STALE` if there is none or a dispute is open, and `NOT_FOUND`.
 */
export async function settleRefund(deps: Deps, admin: Member, bookingId: string): Promise<void> {
  const { from, to } = paymentTransitions.settleRefund;
  await transact(deps.db, "settleRefund", async (tx) => {
    const booking = await tx
      .selectFrom("bookings")
      .select("intent_id")
      .where("id", "=", bookingId)
      .forUpdate()
      .executeTakeFirst();
    if (!booking) throw new AppError("NOT_FOUND", "There is no such booking.");
    const lostCents = await requireDecided(tx, bookingId);
    const payment = await tx
      .selectFrom("payments")
      .select(["id", "sent_cents", "currency", "transaction_id"])
      .where("booking_id", "=", bookingId)
      .where("state", "=", from)
      .forUpdate()
      .executeTakeFirst();
    if (!payment)
      throw new AppError("STALE", "This refund has not failed. Look at the payment again.");
    const { id, sent_cents } = payment;
    const at = deps.clock.now();
    const sentCents = await readUnsentCents(tx, id);
    await tx
      .updateTable("payments")
      .set({ state: to, refunded_at: at, sent_cents: sent_cents + sentCents })
      .where("id", "=", id)
      .execute();
    const intentId = otherIntent(booking.intent_id, payment.transaction_id);
    const deal = { bookingId, currency: payment.currency, at, ...(intentId && { intentId }) };
    const sent = { id: `${id}:${sent_cents + sentCents}`, cents: sentCents };
    await postSentRefund(tx, deal, sent);
    const detail = { sentCents, fromBankCents: lostCents, sentBeforeCents: sent_cents };
    const by = { at, actor: admin.id, verb: "settleRefund" };
    await recordAudit(tx, { ...by, object: "payment", objectId: id, detail });
  });
}

/**
 * Makes the booking's refunds that were given up due again, unless a part of them was sent in another way: two if it was
 * paid twice. Returns the id of one of the payments; undefined if there is none.
 */
export async function retryRefund(
  tx: Tx,
  { bookingId, at, actor }: { bookingId: string; at: Date; actor: string | null },
): Promise<string | undefined> {
  const { from, to } = paymentTransitions.retryRefund;
  const payments = await tx
    .updateTable("payments")
    .set(({ eb }) => ({ state: to, refund_retries: eb("refund_retries", "+", 1) }))
    .where("booking_id", "=", bookingId)
    .where("state", "=", from)
    .where("sent_cents", "=", 0)
    .returning("id")
    .execute();
  for (const { id: paymentId } of payments) {
    const by = { at, actor, verb: "retryRefund", object: "payment" } as const;
    await recordAudit(tx, { ...by, objectId: paymentId });
    await enqueue(tx, "refundPayment", { payload: { paymentId } });
  }
  return payments[0]?.id;
}
