import { paymentTransitions } from "#contract/life-cycle.ts";
import type { Intent } from "../../adapters/cards/port.ts";
import type { Tx } from "../../db/database.ts";
import { enqueue } from "../../db/job-queue.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { readSentCents } from "./refunded-and-disputed.ts";
import { markRefundDue } from "./refunds.ts";
import { applyTransition } from "./transition.ts";

type DisputedPayment = { bookingId: string; paymentId: string; intent: Intent };

/**
 * If the buyer's bank has given back the whole payment: cancels the sale if it was paid by it, unless the laptop was
 * handed over, and closes the refund that was due. Returns whether the sale was cancelled. The caller has locked the booking.
 */
export async function applyLostWholePayment(
  tx: Tx,
  deps: Deps,
  { bookingId, paymentId, intent }: DisputedPayment,
): Promise<boolean> {
  if (!isGivenBack(intent, await readSentCents(tx, paymentId))) return false;
  const by = { at: deps.clock.now(), actor: null };
  const cancelled =
    (await isOfDeal(tx, paymentId)) &&
    (await applyTransition(tx, { ...by, bookingId, transition: "refund" }));
  if (cancelled) await markRefundDue(tx, { ...by, bookingId });
  for (const verb of ["refund", "settleRefund"] as const) {
    const { from, to } = paymentTransitions[verb];
    const { numUpdatedRows } = await tx
      .updateTable("payments")
      .set({ state: to, refunded_at: by.at, refund_retry_at: null })
      .where("id", "=", paymentId)
      .where("state", "=", from)
      .executeTakeFirst();
    const detail = { paidBackBy: "bank" };
    if (numUpdatedRows > 0n)
      await recordAudit(tx, { ...by, verb, object: "payment", objectId: paymentId, detail });
  }
  return cancelled;
}

/** Another payment of the booking was late or too little, and its refund was due at once. */
async function isOfDeal(tx: Tx, paymentId: string): Promise<boolean> {
  const payment = await tx
    .selectFrom("payments")
    .select("id")
    .where("id", "=", paymentId)
    .where("state", "=", "succeeded")
    .executeTakeFirst();
  return payment !== undefined;
}

type LackingPayment = { paymentId: string; at: Date };

/**
 * Of a payment that was given back as a whole some has come back: a bank has changed its decision about a dispute, or
 * sent back a refund of the dashboard. The buyer is due what they now lack.
 */
export async function refundWhatLacks(tx: Tx, { paymentId, at }: LackingPayment): Promise<void> {
  const { from, to } = paymentTransitions.failRefund;
  const { numUpdatedRows } = await tx
    .updateTable("payments")
    .set(({ eb }) => ({
      state: to,
      refund_id: null,
      refunded_at: null,
      refund_retries: eb("refund_retries", "+", 1),
    }))
    .where("id", "=", paymentId)
    .where("state", "=", from)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  const detail = { reason: "money_came_back" };
  const by = { at, actor: null, verb: "failRefund" };
  await recordAudit(tx, { ...by, object: "payment", objectId: paymentId, detail });
  await enqueue(tx, "refundPayment", { payload: { paymentId } });
}

/** Whether lost disputes, with what was refunded or sent before, make up the whole payment. */
function isGivenBack({ disputes, refundedCents, amountCents }: Intent, sentCents: number): boolean {
  const lost = disputes.filter(({ state }) => state === "lost");
  const lostCents = lost.reduce((sum, dispute) => sum + dispute.amountCents, 0);
  const paidBackCents = refundedCents + sentCents + lostCents;
  return refundedCents < amountCents && lostCents > 0 && paidBackCents >= amountCents;
}
