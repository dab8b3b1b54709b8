import type { z } from "zod";
import { addBalanceTransaction } from "./balance.ts";
import { nowMs } from "./clock.ts";
import { closeInquiries } from "./disputes.ts";
import { type ApiResponse, invalidRequest, resourceMissing } from "./errors.ts";
import { newRefund } from "./new-objects.ts";
import type { Charge, Refund } from "./objects.ts";
import type { refundParams } from "./params.ts";
import { findIntent, requireWholeTens } from "./payment-intents.ts";
import type { Store } from "./store.ts";
import { afterwardsOf } from "./test-cards.ts";

/** How long the buyer's bank takes to credit or return a refund. */
const outcomeDelayMs = 500;

/** Without `amount`, refunds all that is left of the charge. */
export function createRefund(store: Store, wanted: z.output<typeof refundParams>): ApiResponse {
  const charge = chargeToRefund(store, wanted.payment_intent);
  requireRefundable(store, charge);
  const left = charge.amount - charge.amount_refunded;
  const amount = wanted.amount ?? left;
  if (left === 0) {
    const message = `Charge ${charge.id} has already been refunded.`;
    throw invalidRequest(message, { code: "charge_already_refunded" });
  }
  if (amount > left) {
    const message = `Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`;
    throw invalidRequest(message, { param: "amount" });
  }
  requireWholeTens({ amount, currency: charge.currency });
  if (amount < 1) throw invalidRequest("Invalid positive integer", { param: "amount" });

  const later = outcomeOf(store, charge);
  const accepted = newRefund(charge, amount, wanted.metadata);
  const refund: Refund = {
    ...accepted,
    balance_transaction: move(store, accepted, "refund"),
    ...(later === "pending" && { status: "pending" }),
  };
  store.saveWithEvent("refund.created", refund);
  store.saveWithEvent("charge.refunded", withRefunded(charge, charge.amount_refunded + amount));
  if (amount === left) closeInquiries(store, charge.id);
  if (later) store.schedule(refund.id, nowMs() + outcomeDelayMs);
  return { status: 200, body: refund };
}

export function applyOutcome(store: Store, id: string): void {
  store.unschedule(id);
  const refund = store.find("refund", id);
  const charge = refund && store.find("charge", refund.charge);
  if (!refund || !charge) return;
  if (outcomeOf(store, charge) === "pending")
    store.saveWithEvent("refund.updated", { ...refund, status: "succeeded" });
  else fail(store, refund, charge);
}

/** Fails a refund, because the buyer's bank may return it long after accepting it. */
export function failRefund(store: Store, id: string): ApiResponse {
  const refund = store.find("refund", id);
  const charge = refund && store.find("charge", refund.charge);
  if (!refund || !charge) throw resourceMissing("refund", id);
  if (refund.status === "failed") throw invalidRequest("This refund has already failed.");
  store.unschedule(id);
  return { status: 200, body: fail(store, refund, charge) };
}

function fail(store: Store, refund: Refund, charge: Charge): Refund {
  store.put(withRefunded(charge, charge.amount_refunded - refund.amount));
  const failed: Refund = {
    ...refund,
    status: "failed",
    failure_balance_transaction: move(store, refund, "refund_failure"),
    failure_reason: "expired_or_canceled_card",
  };
  store.saveWithEvent("refund.updated", failed);
  store.saveWithEvent("refund.failed", failed);
  return failed;
}

function move(store: Store, refund: Refund, kind: "refund" | "refund_failure"): string {
  const { id: source, currency } = refund;
  const amount = kind === "refund" ? -refund.amount : refund.amount;
  return addBalanceTransaction(store, { kind, amount, currency, source }).id;
}

function outcomeOf(store: Store, { payment_method }: Charge) {
  const method = store.find("payment_method", payment_method);
  return method && afterwardsOf(method.card.last4).refund;
}

function withRefunded(charge: Charge, amount: number): Charge {
  return { ...charge, amount_refunded: amount, refunded: amount === charge.amount };
}

function requireRefundable(store: Store, charge: Charge): void {
  const disputes = store.list("dispute", { charge: charge.id, limit: 100 });
  if (disputes.every((one) => one.is_charge_refundable || one.status === "won")) return;
  throw invalidRequest(`The charge ${charge.id} has been charged back; cannot issue a refund.`, {
    code: "charge_disputed",
  });
}

function chargeToRefund(store: Store, intent: string): Charge {
  const charge = store.find("charge", findIntent(store, intent).latest_charge ?? "");
  if (charge?.status === "succeeded") return charge;
  throw invalidRequest(
    `This PaymentIntent (${intent}) does not have a successful charge to refund.`,
  );
}
