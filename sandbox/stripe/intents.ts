import { type Answer, invalidRequest, noSuch, type StripeErrorBody } from "./errors.ts";
import type { Intent, NewIntent, Payer, PaymentMethod } from "./objects.ts";
import { newCharge, newIntent, newPaymentMethod, seconds } from "./objects.ts";
import type { Store } from "./store.ts";
import type { CardProblem, TestCard } from "./test-cards.ts";

export type Payment = { card: TestCard; payer: Payer };

const payable: Intent["status"][] = ["requires_payment_method", "requires_action"];

/** Opens a payment of `amount`, in the currency's smallest unit. Refuses less than 50 of them. */
export function createIntent(store: Store, wanted: NewIntent): Answer {
  if (wanted.amount < 50) {
    const message = `Amount must be at least 50 of the smallest unit of ${wanted.currency}.`;
    throw invalidRequest(message, { code: "amount_too_small", param: "amount" });
  }
  const intent = newIntent(wanted);
  store.announce("payment_intent.created", intent);
  return { status: 200, body: intent };
}

/** The payment intent of this id. Refuses an id that names none. */
export function findIntent(store: Store, id: string): Intent {
  const intent = store.find("payment_intent", id);
  if (!intent) throw noSuch("payment_intent", id);
  return intent;
}

/** Tries to take the money: the card pays, is declined, or asks for a step of the payer's first. */
export function confirmIntent(store: Store, id: string, { card, payer }: Payment): Answer {
  const intent = findIntent(store, id);
  if (!payable.includes(intent.status)) throw wrongState("confirm", intent);
  const method = newPaymentMethod(card, payer);
  store.put(method);
  const { outcome } = card;
  if (outcome.result === "declined") return decline(store, { intent, method }, outcome.problem);
  if (outcome.result === "challenged") return challenge(store, { intent, method });
  return { ...succeed(store, { intent, method }), lateBy: outcome.lateBy ?? 0 };
}

/** Ends the step a card asked for: the payer has proved who they are, or has not. */
export function authenticate(store: Store, id: string, outcome: "complete" | "fail"): Answer {
  const intent = findIntent(store, id);
  const method = store.find("payment_method", intent.payment_method ?? "");
  if (intent.status !== "requires_action" || !method) throw wrongState("authenticate", intent);
  return outcome === "complete"
    ? succeed(store, { intent, method })
    : stayUnpaid(store, intent, authenticationFailure);
}

/** Closes a payment nobody has made. Refuses one that succeeded or is closed already. */
export function cancelIntent(
  store: Store,
  id: string,
  reason: Intent["cancellation_reason"],
): Answer {
  const intent = findIntent(store, id);
  if (!payable.includes(intent.status)) throw wrongState("cancel", intent);
  const canceled: Intent = {
    ...intent,
    canceled_at: seconds(),
    cancellation_reason: reason,
    next_action: null,
    status: "canceled",
  };
  store.announce("payment_intent.canceled", canceled);
  return { status: 200, body: canceled };
}

type Attempt = { intent: Intent; method: PaymentMethod };

function succeed(store: Store, { intent, method }: Attempt): Answer {
  const charge = newCharge(intent, method);
  const paid: Intent = {
    ...intent,
    amount_received: intent.amount,
    last_payment_error: null,
    latest_charge: charge.id,
    next_action: null,
    payment_method: method.id,
    status: "succeeded",
  };
  store.announce("charge.succeeded", charge);
  store.announce("payment_intent.succeeded", paid);
  return { status: 200, body: paid };
}

function decline(store: Store, { intent, method }: Attempt, problem: CardProblem): Answer {
  const charge = newCharge(intent, method, problem);
  store.announce("charge.failed", charge);
  const attempted = { ...intent, latest_charge: charge.id };
  return stayUnpaid(store, attempted, { type: "card_error", ...problem, charge: charge.id });
}

function challenge(store: Store, { intent, method }: Attempt): Answer {
  const waiting: Intent = {
    ...intent,
    last_payment_error: null,
    next_action: { type: "use_stripe_sdk", use_stripe_sdk: { type: "three_d_secure" } },
    payment_method: method.id,
    status: "requires_action",
  };
  store.announce("payment_intent.requires_action", waiting);
  return { status: 200, body: waiting };
}

function stayUnpaid(store: Store, intent: Intent, error: StripeErrorBody): Answer {
  const unpaid: Intent = {
    ...intent,
    last_payment_error: error,
    next_action: null,
    payment_method: null,
    status: "requires_payment_method",
  };
  store.announce("payment_intent.payment_failed", unpaid);
  return { status: 402, body: { error: { ...error, payment_intent: unpaid } } };
}

const authenticationFailure: StripeErrorBody = {
  type: "card_error",
  code: "payment_intent_authentication_failure",
  message:
    "We are unable to authenticate your payment method. Please choose a different payment method and try again.",
};

function wrongState(verb: "confirm" | "authenticate" | "cancel", intent: Intent) {
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
