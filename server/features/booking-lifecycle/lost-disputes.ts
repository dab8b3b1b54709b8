import { paymentTransitions } from "#contract/life-cycle.ts";
import type { Intent } from "../../adapters/cards/port.ts";
import type { Tx } from "../../db/database.ts";
import { enqueue } from "../../db/job-queue.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { markRefundDue } from "./refunds.ts";
import { applyTransition } from "./transition.ts";

type DisputedPayment = { bookingId: string; paymentId: string; intent: Intent };

/**
 * If the buyer's bank has given back the whole payment: cancels the sale, unless the laptop was handed over, and
 * closes the refund that was due. Returns whether the sale was cancelled. The caller has locked the booking.
 */
export async function applyLostDispute(
  tx: Tx,
  deps: Deps,
  { bookingId, paymentId, intent }: DisputedPayment,
): Promise<boolean> {
  if (!isGivenBack(intent)) return false;
  const by = { at: deps.clock.now(), actor: null };
  const cancelled = await applyTransition(tx, { ...by, bookingId, transition: "refund" });
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

/** A bank that gave the payment of a cancelled sale back has changed its decision: the buyer is due a refund. */
export async function applyReversedDispute(
  tx: Tx,
  { paymentId, lostAt, at }: { paymentId: string; lostAt: Date; at: Date },
): Promise<void> {
  const { from, to } = paymentTransitions.failRefund;
  const { numUpdatedRows } = await tx
    .updateTable("payments")
    .set(({ eb }) => ({
      state: to,
      refunded_at: null,
      refund_retries: eb("refund_retries", "+", 1),
    }))
    .where("id", "=", paymentId)
    .where("state", "=", from)
    .where("refund_id", "is", null)
    // Not one that an admin had sent in another way before.
    .where("refunded_at", ">=", lostAt)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  const by = { at, actor: null, verb: "failRefund", detail: { reason: "dispute_won" } };
  await recordAudit(tx, { ...by, object: "payment", objectId: paymentId });
  await enqueue(tx, "refundPayment", { payload: { paymentId } });
}

/** Whether lost disputes, with what was refunded before, make up the whole payment. */
function isGivenBack({ disputes, refundedCents, amountCents }: Intent): boolean {
  const lost = disputes.filter(({ state }) => state === "lost");
  const lostCents = lost.reduce((sum, dispute) => sum + dispute.amountCents, 0);
  return refundedCents < amountCents && lostCents > 0 && refundedCents + lostCents >= amountCents;
}
