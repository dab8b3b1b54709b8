import type { z } from "zod";
import { balanceCapabilities } from "./accounts.ts";
import { addBalanceTransaction, balanceOf } from "./balance.ts";
import { unixSeconds } from "./clock.ts";
import { type ApiResponse, invalidRequest, resourceMissing } from "./errors.ts";
import { chargeDefaults, newId } from "./new-objects.ts";
import type {
  Charge,
  DestinationPayment,
  PaymentRefund,
  Transfer,
  TransferReversal,
} from "./objects.ts";
import type { reversalParams, transferParams } from "./params.ts";
import type { Store } from "./store.ts";

const all = { limit: 1_000_000 };

type WantedTransfer = z.output<typeof transferParams>;

/** With a source charge, the money becomes available when the charge's money does. */
export function createTransfer(store: Store, wanted: WantedTransfer): ApiResponse {
  const { amount, currency, destination } = wanted;
  if (amount < 1) throw invalidRequest("Invalid positive integer", { param: "amount" });
  requireTransfers(store, destination);
  const source = wanted.source_transaction;
  const charge = source === undefined ? undefined : requireSource(store, wanted, source);
  if (!charge && balanceOf(store, currency).available < amount)
    throw invalidRequest(
      "You have insufficient available funds in your Stripe account. Try adding funds directly to your available balance by creating Charges using the 4000000000000077 test card. See: https://stripe.com/docs/testing#available-balance",
      { code: "balance_insufficient" },
    );
  const transfer = newTransfer(wanted, charge);
  const availableOn = charge && availableOnOf(store, charge.balance_transaction);
  const payment = newDestinationPayment(transfer);
  const moved = { currency, availableOn };
  const arrived = addBalanceTransaction(store, {
    ...moved,
    kind: "payment",
    amount,
    source: payment.id,
    account: destination,
  });
  store.put({ ...payment, balance_transaction: arrived.id }, destination);
  const left = addBalanceTransaction(store, {
    ...moved,
    kind: "transfer",
    amount: -amount,
    source: transfer.id,
  });
  const made: Transfer = {
    ...transfer,
    balance_transaction: left.id,
    destination_payment: payment.id,
  };
  const body = withReversals(store, made);
  store.saveWithEvent("transfer.created", made, body);
  return { status: 200, body };
}

function newTransfer(wanted: WantedTransfer, charge: Charge | undefined): Transfer {
  const { amount, currency, destination, metadata } = wanted;
  return {
    id: newId("tr"),
    object: "transfer",
    amount,
    currency,
    destination,
    metadata,
    amount_reversed: 0,
    balance_transaction: null,
    created: unixSeconds(),
    description: null,
    destination_payment: "",
    livemode: false,
    reversed: false,
    source_transaction: charge?.id ?? null,
    source_type: "card",
    transfer_group: wanted.transfer_group ?? charge?.transfer_group ?? null,
  };
}

function newDestinationPayment(transfer: Transfer): DestinationPayment {
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

function requireTransfers(store: Store, destination: string): void {
  const account = store.find("v2.core.account", destination);
  if (!account || account.closed) throw resourceMissing("destination", destination);
  const { status } = balanceCapabilities(account).stripe_transfers ?? { status: "unsupported" };
  if (status === "active") return;
  if (status === "rejected")
    throw invalidRequest("Transfers to this account are not allowed.", {
      code: "transfers_not_allowed",
    });
  throw invalidRequest(
    "Your destination account needs to have at least one of the following capabilities enabled: transfers, crypto_transfers, legacy_payments",
    { code: "insufficient_capabilities_for_transfer" },
  );
}

/** Throws if less than `amount` of the charge is left to transfer. */
function requireSource(store: Store, { amount, currency }: WantedTransfer, id: string): Charge {
  const charge = store.find("charge", id, "");
  if (charge?.status !== "succeeded") throw resourceMissing("source_transaction", id);
  if (charge.currency !== currency)
    throw invalidRequest("The currency of source_transaction's balance transaction differs.", {
      param: "currency",
    });
  const before = store
    .list("transfer", { ...all, source_transaction: id })
    .reduce((sum, transfer) => sum + transfer.amount, 0);
  if (before + amount > charge.amount)
    throw invalidRequest(
      `Transfers using this transaction as a source must not exceed the source amount of ${charge.amount}. (There is already a transfer using this source, amounting to ${before}.)`,
      { param: "amount" },
    );
  return charge;
}

function availableOnOf(store: Store, transaction: unknown): number | undefined {
  return store.find("balance_transaction", String(transaction))?.available_on;
}

type WantedReversal = z.output<typeof reversalParams>;

export function reverseTransfer(store: Store, id: string, wanted: WantedReversal): ApiResponse {
  const transfer = store.find("transfer", id);
  if (!transfer) throw resourceMissing("transfer", id);
  const left = transfer.amount - transfer.amount_reversed;
  const amount = wanted.amount ?? left;
  if (amount < 1 || amount > left)
    throw invalidRequest(
      `Transfer reversal amount (${amount}) must be positive and at most the unreversed amount on transfer (${left}).`,
      { param: "amount" },
    );
  const { destination: account, destination_payment, currency } = transfer;
  const payment = store.find("charge", destination_payment, account);
  if (!payment) throw resourceMissing("charge", destination_payment);
  const availableOn = availableOnOf(store, payment.balance_transaction);
  requireBalance(store, transfer, { amount, availableOn });
  const reversal = newReversal(transfer, amount, wanted.metadata);
  const refund = newPaymentRefund(reversal, destination_payment);
  const moved = { currency, availableOn };
  const returned = addBalanceTransaction(store, {
    ...moved,
    kind: "payment_refund",
    amount: -amount,
    source: refund.id,
    account,
  });
  store.put({ ...refund, balance_transaction: returned.id }, account);
  const amount_refunded = payment.amount_refunded + amount;
  store.put({ ...payment, amount_refunded, refunded: amount_refunded === payment.amount });
  const back = addBalanceTransaction(store, {
    ...moved,
    kind: "transfer_refund",
    amount,
    source: reversal.id,
  });
  const made: TransferReversal = {
    ...reversal,
    balance_transaction: back.id,
    destination_payment_refund: refund.id,
  };
  store.put(made);
  saveReversed(store, transfer, amount);
  return { status: 200, body: made };
}

function saveReversed(store: Store, transfer: Transfer, amount: number): void {
  const amount_reversed = transfer.amount_reversed + amount;
  const reversed = amount_reversed === transfer.amount;
  const changed = { ...transfer, amount_reversed, reversed };
  store.saveWithEvent("transfer.reversed", changed, withReversals(store, changed));
}

/** Requires enough pending balance for a pending transfer, otherwise enough available balance. */
function requireBalance(
  store: Store,
  { destination, currency }: Transfer,
  { amount, availableOn = 0 }: { amount: number; availableOn: number | undefined },
): void {
  const { available, pending } = balanceOf(store, currency, destination);
  if ((availableOn > unixSeconds() ? pending : available) >= amount) return;
  throw invalidRequest(
    "The connected account does not have enough available balance to reverse this transfer.",
    { code: "balance_insufficient" },
  );
}

function newReversal(
  { id: transfer, currency }: Transfer,
  amount: number,
  metadata: Record<string, string>,
): TransferReversal {
  return {
    id: newId("trr"),
    object: "transfer_reversal",
    amount,
    currency,
    metadata,
    transfer,
    balance_transaction: null,
    created: unixSeconds(),
    destination_payment_refund: null,
    source_refund: null,
  };
}

function newPaymentRefund(
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

/** Returns the transfer as the API does, with its ten newest reversals. */
export function withReversals(store: Store, transfer: Transfer): object {
  const found = store.list("transfer_reversal", { transfer: transfer.id, limit: 11 });
  const url = `/v1/transfers/${transfer.id}/reversals`;
  const reversals = { object: "list", data: found.slice(0, 10), has_more: found.length > 10, url };
  return { ...transfer, reversals };
}
