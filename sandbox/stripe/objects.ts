import { randomBytes } from "node:crypto";
import type Stripe from "stripe";
import type { StripeErrorBody } from "./errors.ts";
import type { CardProblem, TestCard } from "./test-cards.ts";

/** Typed by the SDK, so that an SDK upgrade that changes it fails the type check. */
export const API_VERSION: typeof Stripe.API_VERSION = "2026-10-28.endive";

/** The fields of a card payment, in the SDK's types. */
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

/** The card number is not stored. */
export type PaymentMethod = Pick<
  Stripe.PaymentMethod,
  "id" | "object" | "created" | "livemode" | "type"
> & { billing_details: Payer; card: { brand: string; last4: string } };

export type Payer = { name: string | null; email: string | null };

export type NewIntent = Pick<Intent, "amount" | "currency" | "metadata"> & {
  description?: string | undefined;
  receipt_email?: string | undefined;
};

function newId(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString("hex")}`;
}

export function unixSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

/** `amount` is in the currency's smallest unit. */
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
    created: unixSeconds(),
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

export function newPaymentMethod(card: TestCard, payer: Payer): PaymentMethod {
  return {
    id: newId("pm"),
    object: "payment_method",
    billing_details: payer,
    card: { brand: card.brand, last4: card.number.slice(-4) },
    created: unixSeconds(),
    livemode: false,
    type: "card",
  };
}

export function newCharge(intent: Intent, method: PaymentMethod, problem?: CardProblem): Charge {
  return {
    id: newId("ch"),
    object: "charge",
    amount: intent.amount,
    amount_captured: problem ? 0 : intent.amount,
    amount_refunded: 0,
    billing_details: method.billing_details,
    captured: !problem,
    created: unixSeconds(),
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

/** A succeeded refund; `amount` is in the currency's smallest unit. */
export function newRefund(charge: Charge, amount: number, details: RefundDetails): Refund {
  return {
    id: newId("re"),
    object: "refund",
    amount,
    charge: charge.id,
    created: unixSeconds(),
    currency: charge.currency,
    metadata: details.metadata,
    payment_intent: charge.payment_intent,
    reason: details.reason ?? null,
    status: "succeeded",
  };
}

export function newEvent(type: EventType, object: Intent | Charge | Refund): Event {
  return {
    id: newId("evt"),
    object: "event",
    api_version: API_VERSION,
    created: unixSeconds(),
    data: { object },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
  };
}
