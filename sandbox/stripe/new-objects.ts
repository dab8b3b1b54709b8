import { createHash, randomBytes } from "node:crypto";
import type { z } from "zod";
import { timestamp, unixSeconds } from "./clock.ts";
import type {
  Charge,
  Event,
  EventType,
  Intent,
  Payer,
  PaymentMethod,
  Refund,
  ThinEvent,
} from "./objects.ts";
import { API_VERSION } from "./objects.ts";
import type { createIntentParams } from "./params.ts";
import type { CardProblem, TestCard } from "./test-cards.ts";

export type NewIntent = z.output<typeof createIntentParams>;

export function newId(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString("hex")}`;
}

/** `amount` is in the currency's smallest unit. */
export function newIntent({ amount, currency, metadata, ...rest }: NewIntent): Intent {
  const id = newId("pi");
  return {
    id,
    object: "payment_intent",
    allowed_payment_method_types: rest.allowed_payment_method_types ?? null,
    amount,
    amount_capturable: 0,
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: "automatic",
    client_secret: `${id}_secret_${randomBytes(12).toString("hex")}`,
    confirmation_method: "automatic",
    created: unixSeconds(),
    currency,
    customer: null,
    customer_account: null,
    description: null,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata,
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: null,
    payment_method_types: ["card"],
    payment_record: null,
    processing: null,
    receipt_email: rest.receipt_email ?? null,
    review: null,
    setup_future_usage: null,
    shipping: null,
    statement_descriptor: null,
    statement_descriptor_suffix: rest.statement_descriptor_suffix ?? null,
    status: "requires_payment_method",
    transfer_group: rest.transfer_group ?? null,
  };
}

export type Expiry = { month: number; year: number };

type UsedCard = { card: TestCard; payer: Payer; expiry: Expiry };

export function newPaymentMethod({ card, payer, expiry }: UsedCard): PaymentMethod {
  return {
    id: newId("pm"),
    object: "payment_method",
    billing_details: { ...payer, address: null, phone: null, tax_id: null },
    card: {
      brand: card.brand,
      exp_month: expiry.month,
      exp_year: expiry.year,
      fingerprint: fingerprintOf(card.number),
      last4: card.number.slice(-4),
    },
    created: unixSeconds(),
  };
}

/** Shared by buyers' charges and the payments that sellers receive. */
export const chargeDefaults = {
  object: "charge",
  amount_refunded: 0,
  application: null,
  application_fee: null,
  application_fee_amount: null,
  balance_transaction: null,
  customer: null,
  disputed: false,
  failure_balance_transaction: null,
  fraud_details: {},
  livemode: false,
  on_behalf_of: null,
  outcome: null,
  receipt_number: null,
  receipt_url: null,
  refunded: false,
  review: null,
  shipping: null,
  statement_descriptor: null,
  transfer_data: null,
} as const;

export function newCharge(intent: Intent, method: PaymentMethod, problem?: CardProblem): Charge {
  return {
    ...chargeDefaults,
    id: newId("ch"),
    amount: intent.amount,
    amount_captured: problem ? 0 : intent.amount,
    billing_details: method.billing_details,
    calculated_statement_descriptor: statementDescriptor(intent),
    captured: !problem,
    created: unixSeconds(),
    currency: intent.currency,
    description: intent.description,
    failure_code: problem?.code ?? null,
    failure_message: problem?.message ?? null,
    metadata: intent.metadata,
    paid: !problem,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: { type: "card", card: chargedCard(method.card) },
    receipt_email: intent.receipt_email,
    source_transfer: null,
    statement_descriptor_suffix: intent.statement_descriptor_suffix,
    status: problem ? "failed" : "succeeded",
    transfer_group: intent.transfer_group,
  };
}

/** The text on bank statements: the account's name and, if set, the payment's suffix. */
function statementDescriptor({ statement_descriptor_suffix: suffix }: Intent): string {
  return suffix === null ? "SANDBOX" : `SANDBOX* ${suffix.toUpperCase()}`;
}

function fingerprintOf(number: string): string {
  return createHash("sha256").update(number).digest("base64url").slice(0, 16);
}

type ChargedCard = NonNullable<NonNullable<Charge["payment_method_details"]>["card"]>;

function chargedCard(card: PaymentMethod["card"]): ChargedCard {
  const { brand, exp_month, exp_year, last4, fingerprint = null } = card;
  return {
    brand,
    exp_month,
    exp_year,
    last4,
    fingerprint,
    network: brand,
    amount_authorized: null,
    authorization_code: null,
    checks: null,
    country: "US",
    electronic_commerce_indicator: null,
    funding: "credit",
    installments: null,
    mandate: null,
    network_transaction_id: null,
    regulated_status: "unregulated",
    three_d_secure: null,
    transaction_link_id: null,
    wallet: null,
  };
}

/** `amount` is in the currency's smallest unit. */
export function newRefund(
  charge: Charge,
  amount: number,
  metadata: Record<string, string>,
): Refund {
  return {
    id: newId("re"),
    object: "refund",
    amount,
    balance_transaction: null,
    charge: charge.id,
    created: unixSeconds(),
    currency: charge.currency,
    customer: null,
    customer_account: null,
    metadata,
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason: null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: "succeeded",
    transfer_reversal: null,
  };
}

export function newEvent(type: EventType, object: object): Event {
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

/** The seller's account, and the object that has changed. */
export type EventSource = { account: string; related: ThinEvent["related_object"] };

export function newThinEvent(
  type: ThinEvent["type"],
  { account, related }: EventSource,
): ThinEvent {
  return {
    id: newId("evt"),
    object: "v2.core.event",
    type,
    context: account,
    related_object: related,
    created: timestamp(),
    livemode: false,
  };
}
