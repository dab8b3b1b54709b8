import type Stripe from "stripe";
import type { StripeErrorBody } from "./errors.ts";

/** Typed by the SDK, so that the type check fails if an SDK upgrade changes the version. */
export const API_VERSION: typeof Stripe.API_VERSION = "2026-09-30.endive";

/** IDs replace nested objects. Stripe's published description has no `source`. */
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

export type StoredFile = Stripe.File;

export type BalanceTransaction = Omit<Stripe.BalanceTransaction, "source"> & { source: string };

export type Transfer = Omit<
  Stripe.Transfer,
  "destination" | "destination_payment" | "source_transaction" | "reversals"
> & {
  destination: string;
  destination_payment: string;
  source_transaction: string | null;
};

export type TransferReversal = Omit<Stripe.TransferReversal, "transfer"> & { transfer: string };

export type Payout = Omit<Stripe.Payout, "destination" | "status"> & {
  destination: string;
  status: "pending" | "in_transit" | "paid" | "failed";
};

/** A transfer, as shown in the account that receives the money. */
export type DestinationPayment = Omit<
  Stripe.Charge,
  "payment_intent" | "payment_method" | "refunds" | "source"
> & { payment_intent: null; payment_method: null };

/** A reversal, as shown in the account that returns the money. */
export type PaymentRefund = Omit<Refund, "payment_intent"> & { payment_intent: null };

export type Account = Stripe.V2.Core.Account &
  Required<Pick<Stripe.V2.Core.Account, "configuration" | "identity" | "requirements">>;

export type EventDestination = Stripe.V2.Core.EventDestination;

/** Version 2 events do not contain their objects. */
export type ThinEvent = {
  id: string;
  object: "v2.core.event";
  type: Stripe.V2.Core.EventNotification["type"];
  created: string;
  livemode: boolean;
  context: string;
  related_object: { id: string; type: string; url: string };
};

/** The API doesn't return payment methods. The card number is not stored. */
export type PaymentMethod = Pick<
  Stripe.PaymentMethod,
  "id" | "object" | "billing_details" | "created"
> & {
  card: Pick<
    Stripe.PaymentMethod.Card,
    "brand" | "exp_month" | "exp_year" | "fingerprint" | "last4"
  >;
};

export type WebhookEndpoint = Omit<Stripe.WebhookEndpoint, "deleted" | "secret" | "status"> & {
  status: "enabled" | "disabled";
};

export type Event = {
  id: string;
  object: "event";
  api_version: string;
  created: number;
  data: { object: object };
  livemode: boolean;
  pending_webhooks: number;
  request: { id: null; idempotency_key: null };
  type: EventType;
};

export type EventObject = Intent | Charge | Refund | Dispute | Transfer;

export type EventType = Extract<
  Stripe.Event["type"],
  | `payment_intent.${"created" | "requires_action" | "succeeded" | "payment_failed" | "canceled"}`
  | `charge.${"succeeded" | "failed" | "refunded"}`
  | `charge.dispute.${"created" | "updated" | "closed" | "funds_withdrawn" | "funds_reinstated"}`
  | `refund.${"created" | "updated" | "failed"}`
  | `transfer.${"created" | "reversed"}`
>;

export type Payer = { name: string | null; email: string | null };
