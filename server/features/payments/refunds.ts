import { sql } from "kysely";
import { paymentTransitions, refundStates } from "#contract/life-cycle.ts";
import type { Intent } from "../../adapters/cards/port.ts";
import { recordAudit } from "../../db/audit-log.ts";
import { type Tx, transact } from "../../db/database.ts";
import { enqueue } from "../../db/job-queue.ts";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";
import { applyTransition } from "../bookings/transition.ts";
import { notifyParties } from "../email/notify.ts";
import type { Member } from "../members/members.ts";

/**
 * Takes a paid booking back and puts its money on the way to the buyer, once; asked again it answers the
 * same payment. Refuses `STALE` for one that is not paid or was handed over, `NOT_FOUND`.
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
    const id = await undoDeal(tx, deps, { bookingId, at, actor: admin.id });
    if (id !== undefined) return { id, repeated: false };
    const message = `This booking is ${booking.state}; only a paid one can be refunded.`;
    throw new AppError("STALE", message);
  });
}

type GivingBack = { bookingId: string; at: Date; actor: string | null };

/** Answers the payment that is on its way back, or undefined where the booking is not paid. */
async function undoDeal(tx: Tx, deps: Deps, undoing: GivingBack): Promise<string | undefined> {
  if (!(await applyTransition(tx, { ...undoing, transition: "refund" }))) return undefined;
  const paymentId = await giveBack(tx, undoing);
  // The buyer hears of it once their money is on its way (refundPayment).
  await notifyParties(tx, deps, { bookingId: undoing.bookingId, event: "saleCancelled" });
  await enqueue(tx, "refundPayment", { payload: { paymentId } });
  return paymentId;
}

async function giveBack(tx: Tx, { bookingId, at, actor }: GivingBack): Promise<string> {
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

type Elsewhere = { bookingId: string; paymentId: string; intent: Intent };

/**
 * Follows what was given back of a payment we keep in the provider's own dashboard: all of it undoes the
 * deal; where that can't be, or it is a part, it is written down once. Answers whether the deal is undone.
 */
export async function followRefund(
  tx: Tx,
  deps: Deps,
  { bookingId, paymentId, intent: { refundedCents, amountCents } }: Elsewhere,
): Promise<boolean> {
  if (refundedCents === 0) return false;
  const by = { at: deps.clock.now(), actor: null };
  if (refundedCents === amountCents && (await undoDeal(tx, deps, { ...by, bookingId })))
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

/** Gives back money that is due, once, and tells the buyer: the job that `settlePayment` and `refundBooking` leave behind. */
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
