import type Stripe from "stripe";
import type { StripeErrorBody } from "./errors.ts";

/** Typed by the SDK, so that an SDK upgrade that changes it fails the type check. */
export const API_VERSION: typeof Stripe.API_VERSION = "2026-09-30.endive";

/**
 * Stripe's objects with every field that is always sent; ids where the API has not expanded an object. The library
 * also declares `source`, which the published description does not have.
 */
export type Intent = Omit<
  Stripe.PaymentIntent,
  "client_secret" | "last_payment_error" | "latest_charge" | "payment_method" | "source"
> & {
  client_secret: string;
  last_payment_error: StripeErrorBody | null;
  latest_charge: string | null;
  payment_method: string | null;
};

export type Charge = Omit<
  Stripe.Charge,
  "payment_intent" | "payment_method" | "refunds" | "source"
> & {
  payment_intent: string;
  payment_method: string;
};

export type Refund = Omit<Stripe.Refund, "charge" | "payment_intent" | "status"> & {
  charge: string;
  payment_intent: string;
  status: "pending" | "succeeded" | "failed";
};

export type Dispute = Omit<Stripe.Dispute, "charge" | "payment_intent" | "status"> & {
  charge: string;
  payment_intent: string;
  status: Exclude<Stripe.Dispute.Status, "prevented">;
};

export type BalanceTransaction = Omit<Stripe.BalanceTransaction, "source"> & { source: string };

/** The card number is not stored. */
export type PaymentMethod = Stripe.PaymentMethod & { card: Stripe.PaymentMethod.Card };

export type WebhookEndpoint = Omit<Stripe.WebhookEndpoint, "deleted" | "secret" | "status"> & {
  status: "enabled" | "disabled";
};

export type Event = {
  id: string;
  object: "event";
  api_version: string;
  created: number;
  data: { object: EventObject };
  livemode: boolean;
  pending_webhooks: number;
  request: { id: null; idempotency_key: null };
  type: EventType;
};

/** What an event is about. */
export type EventObject = Intent | Charge | Refund | Dispute;

export type EventType = Extract<
  Stripe.Event["type"],
  | `payment_intent.${"created" | "requires_action" | "succeeded" | "payment_failed" | "canceled"}`
  | `charge.${"succeeded" | "failed" | "refunded"}`
  | `charge.dispute.${"created" | "updated" | "closed" | "funds_withdrawn" | "funds_reinstated"}`
  | `refund.${"created" | "updated" | "failed"}`
>;

export type Payer = { name: string | null; email: string | null };

export function unixSeconds(): number {
  return Math.floor(Date.now() / 1000);
}
