import { unixSeconds } from "./clock.ts";
import { chargeDefaults, newId } from "./new-objects.ts";
import type {
  DestinationPayment,
  PaymentRefund,
  Payout,
  Transfer,
  TransferReversal,
} from "./objects.ts";

const arrivalSeconds = 2 * 24 * 60 * 60;

type PayoutDetails = Pick<Payout, "amount" | "currency" | "automatic" | "destination">;

/** `amount` is in the currency's smallest unit. */
export function newPayout(details: PayoutDetails): Payout {
  return {
    id: newId("po"),
    object: "payout",
    ...details,
    application_fee: null,
    application_fee_amount: null,
    arrival_date: unixSeconds() + arrivalSeconds,
    balance_transaction: null,
    created: unixSeconds(),
    description: details.automatic ? "STRIPE PAYOUT" : null,
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    livemode: false,
    metadata: {},
    method: "standard",
    original_payout: null,
    payout_method: null,
    reconciliation_status: details.automatic ? "in_progress" : "not_applicable",
    reversed_by: null,
    source_type: "card",
    statement_descriptor: null,
    status: "pending",
    trace_id: null,
    type: "bank_account",
  };
}

export function newDestinationPayment(transfer: Transfer): DestinationPayment {
  const { amount, currency, transfer_group } = transfer;
  return {
    ...chargeDefaults,
    id: newId("py"),
    amount,
    currency,
    transfer_group,
    amount_captured: amount,
    billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
    calculated_statement_descriptor: null,
    captured: true,
    created: unixSeconds(),
    description: null,
    failure_code: null,
    failure_message: null,
    metadata: {},
    paid: true,
    payment_intent: null,
    payment_method: null,
    payment_method_details: null,
    receipt_email: null,
    source_transfer: transfer.id,
    statement_descriptor_suffix: null,
    status: "succeeded",
  };
}

export function newPaymentRefund(
  { amount, currency, id }: TransferReversal,
  charge: string,
): PaymentRefund {
  return {
    id: newId("pyr"),
    object: "refund",
    amount,
    currency,
    charge,
    balance_transaction: null,
    created: unixSeconds(),
    customer: null,
    customer_account: null,
    metadata: {},
    payment_intent: null,
    payment_method: null,
    reason: null,
    receipt_number: null,
    source_transfer_reversal: id,
    status: "succeeded",
    transfer_reversal: null,
  };
}
