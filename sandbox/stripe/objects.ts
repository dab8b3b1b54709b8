import { randomBytes } from "node:crypto";
import type Stripe from "stripe";
import type { StripeErrorBody } from "./errors.ts";
import type { CardProblem, TestCard } from "./test-cards.ts";

/** What the API says it speaks: the version the product's own SDK asks for. */
export const API_VERSION: typeof Stripe.API_VERSION = "2026-10-28.endive";

/** A payment intent as the SDK reads it: the fields a card payment has, typed by the SDK itself. */
export type Intent = Pick<
  Stripe.PaymentIntent,
  | "id"
  | "object"
  | "amount"
  | "amount_capturable"
  | "amount_received"
  | "automatic_payment_methods"
  | "canceled_at"
  | "cancellation_reason"
  | "capture_method"
  | "confirmation_method"
  | "created"
  | "currency"
  | "description"
  | "livemode"
  | "metadata"
  | "next_action"
  | "payment_method_types"
  | "receipt_email"
  | "status"
> & {
  client_secret: string;
  last_payment_error: StripeErrorBody | null;
  latest_charge: string | null;
  payment_method: string | null;
};

export type Charge = Pick<
  Stripe.Charge,
  | "id"
  | "object"
  | "amount"
  | "amount_captured"
  | "amount_refunded"
  | "captured"
  | "created"
  | "currency"
  | "description"
  | "disputed"
  | "failure_code"
  | "failure_message"
  | "livemode"
  | "metadata"
  | "paid"
  | "payment_method"
  | "receipt_email"
  | "refunded"
  | "status"
> & {
  billing_details: Payer;
  payment_intent: string;
  payment_method_details: { type: "card"; card: { brand: string; last4: string } };
};

export type Refund = Pick<
  Stripe.Refund,
  "id" | "object" | "amount" | "created" | "currency" | "metadata" | "reason" | "status"
> & { charge: string; payment_intent: string };

export type Event = {
  id: string;
  object: "event";
  api_version: string;
  created: number;
  data: { object: Intent | Charge | Refund };
  livemode: false;
  pending_webhooks: number;
  request: { id: null; idempotency_key: null };
  type: EventType;
};

export type EventType = Extract<
  Stripe.Event["type"],
  | `payment_intent.${"created" | "requires_action" | "succeeded" | "payment_failed" | "canceled"}`
  | `charge.${"succeeded" | "failed" | "refunded"}`
  | "refund.created"
>;

/** A card somebody has tried to pay with; its number is not kept. */
export type PaymentMethod = Pick<
  Stripe.PaymentMethod,
  "id" | "object" | "created" | "livemode" | "type"
> & { billing_details: Payer; card: { brand: string; last4: string } };

/** Whose card it is, as the card form says. */
export type Payer = { name: string | null; email: string | null };

export type NewIntent = Pick<Intent, "amount" | "currency" | "metadata"> & {
  description?: string | undefined;
  receipt_email?: string | undefined;
};

/** An id as Stripe writes them, such as `pi_3f…`. */
function newId(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString("hex")}`;
}

/** Stripe's time: whole seconds since 1970. */
export function seconds(): number {
  return Math.floor(Date.now() / 1000);
}

/** A payment intent nobody has tried to pay yet; `amount` in the currency's smallest unit. */
export function newIntent({ amount, currency, metadata, ...rest }: NewIntent): Intent {
  const id = newId("pi");
  return {
    id,
    object: "payment_intent",
    amount,
    amount_capturable: 0,
    amount_received: 0,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: "automatic",
    client_secret: `${id}_secret_${randomBytes(12).toString("hex")}`,
    confirmation_method: "automatic",
    created: seconds(),
    currency,
    description: rest.description ?? null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    metadata,
    next_action: null,
    payment_method: null,
    payment_method_types: ["card"],
    receipt_email: rest.receipt_email ?? null,
    status: "requires_payment_method",
  };
}

/** What is kept of a card somebody pays with. */
export function newPaymentMethod(card: TestCard, payer: Payer): PaymentMethod {
  return {
    id: newId("pm"),
    object: "payment_method",
    billing_details: payer,
    card: { brand: card.brand, last4: card.number.slice(-4) },
    created: seconds(),
    livemode: false,
    type: "card",
  };
}

/** The attempt to take an intent's money from a card; `problem` says why it failed, if it did. */
export function newCharge(intent: Intent, method: PaymentMethod, problem?: CardProblem): Charge {
  return {
    id: newId("ch"),
    object: "charge",
    amount: intent.amount,
    amount_captured: problem ? 0 : intent.amount,
    amount_refunded: 0,
    billing_details: method.billing_details,
    captured: !problem,
    created: seconds(),
    currency: intent.currency,
    description: intent.description,
    disputed: false,
    failure_code: problem?.code ?? null,
    failure_message: problem?.message ?? null,
    livemode: false,
    metadata: intent.metadata,
    paid: !problem,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: { type: "card", card: method.card },
    receipt_email: intent.receipt_email,
    refunded: false,
    status: problem ? "failed" : "succeeded",
  };
}

export type RefundDetails = {
  metadata: Record<string, string>;
  reason?: NonNullable<Refund["reason"]> | undefined;
};

/** A refund of `amount`, in the currency's smallest unit, that has already gone through. */
export function newRefund(charge: Charge, amount: number, details: RefundDetails): Refund {
  return {
    id: newId("re"),
    object: "refund",
    amount,
    charge: charge.id,
    created: seconds(),
    currency: charge.currency,
    metadata: details.metadata,
    payment_intent: charge.payment_intent,
    reason: details.reason ?? null,
    status: "succeeded",
  };
}

/** The news that `object` has just become what it is. */
export function newEvent(type: EventType, object: Intent | Charge | Refund): Event {
  return {
    id: newId("evt"),
    object: "event",
    api_version: API_VERSION,
    created: seconds(),
    data: { object },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
  };
}
