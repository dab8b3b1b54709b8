import { sql } from "kysely";
import { paymentTransitions, refundStates } from "#contract/life-cycle.ts";
import type { Intent } from "../../adapters/cards/port.ts";
import { type Tx, transact } from "../../db/database.ts";
import { enqueue } from "../../db/job-queue.ts";
import type { Member } from "../../db/member.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";
import { notifyParties } from "../email/notify.ts";
import { applyTransition } from "./transition.ts";

/**
 * Refunds a paid booking and puts its laptop back on sale. Repeated, it returns the same payment. Refuses
 * `STALE` if the booking is not paid or was handed over, and `NOT_FOUND`.
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
    if (booking.state === "refunded")
      return { id: await refundedPayment(tx, bookingId), repeated: true };
    const at = deps.clock.now();
    const id = await startRefund(tx, deps, { bookingId, at, actor: admin.id });
    if (id !== undefined) return { id, repeated: false };
    const message = `This booking is ${booking.state}; only a paid one can be refunded.`;
    throw new AppError("STALE", message);
  });
}

type BookingRefund = { bookingId: string; at: Date; actor: string | null };

/** Marks the payment as due for a refund and queues the job. Returns its id; undefined if the booking is not paid. */
async function startRefund(tx: Tx, deps: Deps, refund: BookingRefund): Promise<string | undefined> {
  if (!(await applyTransition(tx, { ...refund, transition: "refund" }))) return undefined;
  const paymentId = await markRefundDue(tx, refund);
  // The buyer is emailed when the provider has accepted the refund (refundPayment).
  await notifyParties(tx, deps, { bookingId: refund.bookingId, event: "saleCancelled" });
  await enqueue(tx, "refundPayment", { payload: { paymentId } });
  return paymentId;
}

async function markRefundDue(tx: Tx, { bookingId, at, actor }: BookingRefund): Promise<string> {
  const { from, to } = paymentTransitions.giveBack;
  const { id } = await tx
    .updateTable("payments")
    .set({ state: to })
    .where("booking_id", "=", bookingId)
    .where("state", "=", from)
    .returning("id")
    .executeTakeFirstOrThrow();
  await recordAudit(tx, { at, actor, verb: "giveBack", object: "payment", objectId: id });
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

type ProviderRefund = { bookingId: string; paymentId: string; intent: Intent };

/**
 * Applies a refund made in the provider's dashboard. A full one cancels the sale, if the booking is still
 * paid; any other gets an audit row, once. Returns whether the sale was cancelled.
 */
export async function applyProviderRefund(
  tx: Tx,
  deps: Deps,
  { bookingId, paymentId, intent: { refundedCents, amountCents } }: ProviderRefund,
): Promise<boolean> {
  if (refundedCents === 0) return false;
  const by = { at: deps.clock.now(), actor: null };
  if (refundedCents === amountCents && (await startRefund(tx, deps, { ...by, bookingId })))
    return true;
  const verb = "refund elsewhere";
  const written = await tx
    .selectFrom("audit_log")
    .select("id")
    .where("object_id", "=", paymentId)
    .where("verb", "=", verb)
    .where(sql`detail ->> 'refundedCents'`, "=", String(refundedCents))
    .executeTakeFirst();
  const detail = { refundedCents };
  if (!written)
    await recordAudit(tx, { ...by, verb, object: "payment", objectId: paymentId, detail });
  return false;
}

/** Job `refundPayment`: refunds a payment that is due for it, once, and emails the buyer. */
export async function refundPayment(deps: Deps, paymentId: string): Promise<void> {
  const { from, to } = paymentTransitions.refund;
  const payment = await deps.db
    .selectFrom("payments")
    .innerJoin("bookings", "bookings.id", "booking_id")
    .select(["transaction_id", "booking_id", "amount_cents", "bookings.state as booking_state"])
    .where("payments.id", "=", paymentId)
    .where("payments.state", "=", from)
    .executeTakeFirst();
  if (!payment) return;
  const { transaction_id: transactionId, booking_id: bookingId, amount_cents: cents } = payment;
  const refundId = await deps.cards.refund(transactionId);
  await transact(deps.db, "refundPayment", async (tx) => {
    const at = deps.clock.now();
    const refunded = await tx
      .updateTable("payments")
      .set({ state: to, refund_id: refundId, refunded_at: at })
      .where("id", "=", paymentId)
      .where("state", "=", from)
      .executeTakeFirst();
    if (refunded.numUpdatedRows === 0n) return;
    const by = { at, actor: null, verb: "refund" };
    await recordAudit(tx, { ...by, object: "payment", objectId: paymentId, detail: { refundId } });
    const event = payment.booking_state === "refunded" ? "refunded" : "latePaymentRefunded";
    await notifyParties(tx, deps, { bookingId, event, payment: { transactionId, cents } });
  });
}
