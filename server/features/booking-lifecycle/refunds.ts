import { type RawBuilder, sql } from "kysely";
import { paymentTransitions, refundStates } from "#contract/life-cycle.ts";
import type { Refund } from "../../adapters/cards/port.ts";
import { type Tx, transact } from "../../db/database.ts";
import { enqueue } from "../../db/job-queue.ts";
import type { Member } from "../../db/member.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";
import { returnContribution } from "../credits/return-contribution.ts";
import { decideRefund, otherIntent, postRefund } from "../ledger/post-payment.ts";
import type { BookingEmail } from "./booking-email.ts";
import { bookingEmails } from "./emails.ts";
import { giveUpRefund, partlyDisputed, partlySent, retryRefund } from "./failed-refunds.ts";
import { notifyParties } from "./notify-parties.ts";
import { maxFailedRefunds } from "./refund-retries.ts";
import {
  readLostCentsOf,
  readSentCents,
  requireDecided,
  restNotToCard,
} from "./refunded-and-disputed.ts";
import { applyTransition } from "./transition.ts";

/**
 * Refunds a paid booking and puts its laptop back on sale; tries a refund again that was given up. Repeated, it
 * returns the same payment. Refuses `STALE` if the booking is not paid or was handed over, while a dispute is open,
 * and to try again once the buyer's bank has given back a part or an admin has sent one; and `NOT_FOUND`.
 */
export async function refundBooking(
  deps: Deps,
  admin: Member,
  bookingId: string,
): Promise<{ id: string; repeated: boolean }> {
  return await transact(deps.db, "refundBooking", async (tx) => {
    const booking = await tx
      .selectFrom("bookings")
      .select("state")
      .where("id", "=", bookingId)
      .forUpdate()
      .executeTakeFirst();
    if (!booking) throw new AppError("NOT_FOUND", "There is no such booking.");
    const by = { bookingId, at: deps.clock.now(), actor: admin.id };
    const retried = await retryRefund(tx, by);
    const isChange = retried !== undefined || booking.state === "paid";
    const lostCents = isChange ? await requireDecided(tx, bookingId) : 0;
    if (retried !== undefined && lostCents > 0) throw restNotToCard({ lostCents });
    if (retried !== undefined) return { id: retried, repeated: false };
    await requireNothingSent(tx, bookingId);
    if (booking.state === "refunded")
      return { id: await refundedPayment(tx, bookingId), repeated: true };
    const id = await startRefund(tx, deps, by);
    if (id !== undefined) return { id, repeated: false };
    const message = `This booking is ${booking.state}; only a paid one can be refunded.`;
    throw new AppError("STALE", message);
  });
}

/** Refuses `STALE` if the rest of a refund is due of which an admin has sent a part in another way. */
async function requireNothingSent(tx: Tx, bookingId: string): Promise<void> {
  const payment = await tx
    .selectFrom("payments")
    .select("sent_cents")
    .where("booking_id", "=", bookingId)
    .where("state", "=", paymentTransitions.retryRefund.from)
    .executeTakeFirst();
  if (payment) throw restNotToCard({ sentCents: payment.sent_cents });
}

type BookingRefund = { bookingId: string; at: Date; actor: string | null };

/** `email`: what buyer and seller are told at once; the buyer hears of the refund itself when the provider has made it. */
type StartedRefund = BookingRefund & { email?: BookingEmail };

/** Marks the payment as due for a refund and queues the job. Returns its id; undefined if the booking is not paid. */
export async function startRefund(
  tx: Tx,
  deps: Deps,
  { email = bookingEmails.saleCancelled, ...refund }: StartedRefund,
): Promise<string | undefined> {
  if (!(await applyTransition(tx, { ...refund, transition: "refund" }))) return undefined;
  const paymentId = await markRefundDue(tx, refund);
  await notifyParties(tx, deps, { bookingId: refund.bookingId, email });
  await enqueue(tx, "refundPayment", { payload: { paymentId } });
  return paymentId;
}

/** Marks the payment of a booking as due for a refund. Returns its id. */
export async function markRefundDue(
  tx: Tx,
  { bookingId, at, actor }: BookingRefund,
): Promise<string> {
  const { from, to } = paymentTransitions.giveBack;
  const { id, currency } = await tx
    .updateTable("payments")
    .set({ state: to })
    .where("booking_id", "=", bookingId)
    .where("state", "=", from)
    .returning(["id", "currency"])
    .executeTakeFirstOrThrow();
  await recordAudit(tx, { at, actor, verb: "giveBack", object: "payment", objectId: id });
  await decideRefund(tx, { bookingId, currency, at });
  await returnContribution(tx, { bookingId, at });
  return id;
}

async function refundedPayment(tx: Tx, bookingId: string): Promise<string> {
  const { id } = await tx
    .selectFrom("payments")
    .select("id")
    .where("booking_id", "=", bookingId)
    .where("state", "in", refundStates)
    .orderBy("recorded_at")
    .executeTakeFirstOrThrow();
  return id;
}

/**
 * Job `refundPayment`: refunds a payment that is due for it, once, and emails the buyer when it has succeeded. It is handed to an admin if
 * the provider refuses it for good, or the buyer has a part of the money from their bank or an admin: the provider might send the whole.
 */
export async function refundPayment(deps: Deps, paymentId: string): Promise<void> {
  const payment = await findDue(deps, paymentId);
  if (!payment) return;
  const { intentId, bookingId, failures, retries } = payment;
  const lostCents = await readLostCentsOf(deps.db, paymentId);
  const sentCents = await readSentCents(deps.db, paymentId);
  if (lostCents + sentCents > 0) {
    const reason = sentCents > 0 ? partlySent : partlyDisputed;
    const refused = { bookingId, paymentId, reason };
    return void (await transact(deps.db, "giveUpRefund", (tx) => giveUpRefund(tx, deps, refused)));
  }
  const answer = await deps.cards.refund({ intentId, attempt: failures + retries + 1 });
  await transact(deps.db, "refundPayment", async (tx) => {
    if ("refused" in answer)
      await giveUpRefund(tx, deps, { bookingId, paymentId, reason: answer.refused });
    else await recordRefund(tx, deps, { ...payment, paymentId, refund: answer });
  });
}

async function findDue({ db, clock }: Deps, paymentId: string) {
  return await db
    .selectFrom("payments")
    .select(["transaction_id as intentId", "booking_id as bookingId"])
    .select(["failed_refunds as failures", "refund_retries as retries", "currency"])
    .where("id", "=", paymentId)
    .where("state", "=", paymentTransitions.refund.from)
    .where(canSendRefund(clock.now()))
    .executeTakeFirst();
}

/** SQL condition on `payments`: no refund is pending, and no failed one is waiting for its next attempt. */
export function canSendRefund(now: Date): RawBuilder<boolean> {
  return sql<boolean>`(refund_id is null and (refund_retry_at is null or refund_retry_at <= ${now}))`;
}

type DuePayment = NonNullable<Awaited<ReturnType<typeof findDue>>>;
type AcceptedRefund = DuePayment & { paymentId: string; refund: Refund };

async function recordRefund(tx: Tx, deps: Deps, accepted: AcceptedRefund): Promise<void> {
  const { paymentId, refund, failures, intentId, bookingId, currency } = accepted;
  const { intent_id } = await tx
    .selectFrom("bookings")
    .select("intent_id")
    .where("id", "=", bookingId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const recorded = await tx
    .updateTable("payments")
    .set({ refund_id: refund.id, refund_retry_at: null })
    .where("id", "=", paymentId)
    .where("state", "=", paymentTransitions.refund.from)
    .where("refund_id", "is", null)
    .where("failed_refunds", "=", failures)
    .executeTakeFirst();
  if (recorded.numUpdatedRows === 0n) return;
  const other = otherIntent(intent_id, intentId);
  const deal = { bookingId, currency, at: deps.clock.now(), ...(other && { intentId: other }) };
  await postRefund(tx, deal, refund);
  await completeRefund(tx, deps, { bookingId, paymentId, refund });
  // It may have succeeded or failed already, and its event arrived before this.
  await enqueue(tx, "settleIntent", { payload: { intentId } });
}

type ReportedRefund = { bookingId: string; paymentId: string; refund: Refund };

/** Marks a payment as refunded once its refund has succeeded, and emails the buyer. The caller has locked the booking. */
export async function completeRefund(
  tx: Tx,
  deps: Deps,
  { bookingId, paymentId, refund }: ReportedRefund,
): Promise<void> {
  if (refund.state !== "succeeded") return;
  const { from, to } = paymentTransitions.refund;
  const at = deps.clock.now();
  const payment = await tx
    .updateTable("payments")
    .from("bookings")
    .set({ state: to, refunded_at: at })
    .where("payments.id", "=", paymentId)
    .where("payments.state", "=", from)
    .where("refund_id", "=", refund.id)
    .whereRef("bookings.id", "=", "booking_id")
    .returning(["failed_refunds as failures", "transaction_id as transactionId", "bookings.state"])
    .executeTakeFirst();
  if (!payment) return;
  const by = { at, actor: null, verb: "refund", object: "payment" } as const;
  await recordAudit(tx, { ...by, objectId: paymentId, detail: { refundId: refund.id } });
  const { failures, transactionId, state } = payment;
  // The buyer knows of the refund, unless it was given up since.
  if (failures > 0 && failures < maxFailedRefunds) return;
  const isSale = state === "refunded" || state === "completed";
  const email = isSale ? bookingEmails.refunded : bookingEmails.latePaymentRefunded;
  const about = { transactionId, cents: refund.amountCents };
  await notifyParties(tx, deps, { bookingId, email, payment: about });
}
