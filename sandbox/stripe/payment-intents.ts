import { addBalanceTransaction } from "./balance.ts";
import { unixSeconds } from "./clock.ts";
import { openDispute } from "./disputes.ts";
import {
  type ApiResponse,
  invalidRequest,
  resourceMissing,
  type StripeErrorBody,
} from "./errors.ts";
import type { Expiry, NewIntent } from "./new-objects.ts";
import { newCharge, newIntent, newPaymentMethod } from "./new-objects.ts";
import type { Intent, Payer, PaymentMethod } from "./objects.ts";
import type { Store } from "./store.ts";
import { afterwardsOf, type CardProblem, type TestCard } from "./test-cards.ts";

export type Payment = { card: TestCard; payer: Payer; expiry: Expiry };

const confirmable: Intent["status"][] = ["requires_payment_method", "requires_action"];

/** `amount` is in the currency's smallest unit, at least 50. */
export function createIntent(store: Store, wanted: NewIntent): ApiResponse {
  requireWholeTens(wanted);
  if (wanted.amount < 50) {
    const message = `Amount must be at least 50 of the smallest unit of ${wanted.currency}.`;
    throw invalidRequest(message, { code: "amount_too_small", param: "amount" });
  }
  const intent = newIntent(wanted);
  store.saveWithEvent("payment_intent.created", intent);
  return { status: 200, body: intent };
}

/** For currencies with three decimals, requires the last decimal to be 0, as Stripe does. */
export function requireWholeTens({ amount, currency }: { amount: number; currency: string }) {
  const format = new Intl.NumberFormat("en-US", { style: "currency", currency });
  const { maximumFractionDigits = 2 } = format.resolvedOptions();
  if (maximumFractionDigits < 3 || amount % 10 === 0) return;
  throw invalidRequest("The last digit of this amount must be 0.", { param: "amount" });
}

export function findIntent(store: Store, id: string): Intent {
  const intent = store.find("payment_intent", id);
  if (!intent) throw resourceMissing("payment_intent", id);
  return intent;
}

/** Charges the card. The result is `succeeded`, `requires_action` (3-D Secure) or a decline. */
export function confirmIntent(store: Store, id: string, payment: Payment): ApiResponse {
  const intent = findIntent(store, id);
  if (!confirmable.includes(intent.status)) throw unexpectedState("confirm", intent);
  const method = newPaymentMethod(payment);
  store.put(method);
  const { outcome } = payment.card;
  if (outcome.result === "declined") return decline(store, { intent, method }, outcome.problem);
  if (outcome.result === "challenged") return challenge(store, { intent, method });
  return { ...succeed(store, { intent, method }), delayMs: outcome.delayMs ?? 0 };
}

export function authenticate(store: Store, id: string, outcome: "complete" | "fail"): ApiResponse {
  const intent = findIntent(store, id);
  const method = store.find("payment_method", intent.payment_method ?? "");
  if (intent.status !== "requires_action" || !method) throw unexpectedState("authenticate", intent);
  return outcome === "complete"
    ? succeed(store, { intent, method })
    : failPayment(store, intent, authenticationFailure);
}

export function cancelIntent(store: Store, id: string): ApiResponse {
  const intent = findIntent(store, id);
  if (!confirmable.includes(intent.status)) throw unexpectedState("cancel", intent);
  const canceled: Intent = {
    ...intent,
    canceled_at: unixSeconds(),
    next_action: null,
    status: "canceled",
  };
  store.saveWithEvent("payment_intent.canceled", canceled);
  return { status: 200, body: canceled };
}

type Attempt = { intent: Intent; method: PaymentMethod };

function succeed(store: Store, { intent, method }: Attempt): ApiResponse {
  const newest = newCharge(intent, method);
  const { id: source, amount, currency } = newest;
  const { dispute, isAvailableAtOnce } = afterwardsOf(method.card.last4);
  const availableOn = isAvailableAtOnce && newest.created;
  const movement = { kind: "charge", amount, currency, source, availableOn } as const;
  const charge = { ...newest, balance_transaction: addBalanceTransaction(store, movement).id };
  const paid: Intent = {
    ...intent,
    amount_received: intent.amount,
    last_payment_error: null,
    latest_charge: charge.id,
    next_action: null,
    payment_method: method.id,
    status: "succeeded",
  };
  store.saveWithEvent("charge.succeeded", charge);
  store.saveWithEvent("payment_intent.succeeded", paid);
  if (dispute) openDispute(store, charge, dispute);
  return { status: 200, body: paid };
}

function decline(store: Store, { intent, method }: Attempt, problem: CardProblem): ApiResponse {
  const charge = newCharge(intent, method, problem);
  store.saveWithEvent("charge.failed", charge);
  const attempted = { ...intent, latest_charge: charge.id };
  return failPayment(store, attempted, { type: "card_error", ...problem, charge: charge.id });
}

function challenge(store: Store, { intent, method }: Attempt): ApiResponse {
  const waiting: Intent = {
    ...intent,
    last_payment_error: null,
    next_action: { type: "use_stripe_sdk", use_stripe_sdk: { type: "three_d_secure" } },
    payment_method: method.id,
    status: "requires_action",
  };
  store.saveWithEvent("payment_intent.requires_action", waiting);
  return { status: 200, body: waiting };
}

function failPayment(store: Store, intent: Intent, error: StripeErrorBody): ApiResponse {
  const unpaid: Intent = {
    ...intent,
    last_payment_error: error,
    next_action: null,
    payment_method: null,
    status: "requires_payment_method",
  };
  store.saveWithEvent("payment_intent.payment_failed", unpaid);
  return { status: 402, body: { error: { ...error, payment_intent: unpaid } } };
}

const authenticationFailure: StripeErrorBody = {
  type: "card_error",
  code: "payment_intent_authentication_failure",
  message:
    "We are unable to authenticate your payment method. Please choose a different payment method and try again.",
};

function unexpectedState(verb: "confirm" | "authenticate" | "cancel", intent: Intent) {
  const message =
    verb === "confirm" && intent.status === "succeeded"
      ? "You cannot confirm this PaymentIntent because it has already succeeded after being previously confirmed."
      : `You cannot ${verb} this PaymentIntent because it has a status of ${intent.status}.`;
  const cancelable =
    " Only a PaymentIntent with one of the following statuses may be canceled: requires_payment_method, requires_capture, requires_confirmation, requires_action, processing.";
  return invalidRequest(verb === "cancel" ? message + cancelable : message, {
    code: "payment_intent_unexpected_state",
    payment_intent: intent,
  });
}
