import type Stripe from "stripe";
import { unixSeconds } from "./clock.ts";
import { newId } from "./new-objects.ts";
import type { BalanceTransaction } from "./objects.ts";
import type { Store } from "./store.ts";

/** Stripe's standard prices in the United States. */
const cardFee = { percent: 2.9, cents: 30 };
const disputeFeeCents = 1_500;

/** Stripe makes card payments available two days later. */
const pendingSeconds = 2 * 24 * 60 * 60;

type OwnKind = "charge" | "refund" | "refund_failure" | "dispute" | "dispute_reversal";
type ConnectKind = "transfer" | "transfer_refund" | "payment" | "payment_refund";
type Kind = OwnKind | ConnectKind | "payout" | "payout_failure";

/** `amount` is in the currency's smallest unit, and negative if the money leaves the balance. */
type Movement = {
  kind: Kind;
  amount: number;
  currency: string;
  source: string;
  /** The seller's account whose balance changes. By default, the shop's own. */
  account?: string;
  /** Unix seconds. By default, two days later for a charge, and immediately otherwise. */
  availableOn?: number | undefined;
};

/** Adds a balance transaction, minus Stripe's fee. */
export function addBalanceTransaction(store: Store, movement: Movement): BalanceTransaction {
  const { kind, amount, currency, source } = movement;
  const fee = feeOf(movement);
  const created = unixSeconds();
  const isDispute = kind === "dispute" || kind === "dispute_reversal";
  const usual = kind === "charge" ? created + pendingSeconds : created;
  const availableOn = Math.max(created, movement.availableOn ?? usual);
  const transaction: BalanceTransaction = {
    id: newId("txn"),
    object: "balance_transaction",
    amount,
    created,
    currency,
    fee,
    source,
    available_on: availableOn,
    balance_type: "payments",
    description: null,
    exchange_rate: null,
    fee_details: fee > 0 ? [feeDetail(fee, currency)] : [],
    net: amount - fee,
    reporting_category: reportingCategories[kind] ?? kind,
    status: availableOn > created ? "pending" : "available",
    type: isDispute ? "adjustment" : kind,
  };
  store.put(transaction, movement.account);
  return transaction;
}

const reportingCategories: Partial<Record<Kind, string>> = {
  transfer_refund: "transfer_reversal",
  payment: "charge",
  payment_refund: "refund",
  payout_failure: "payout_reversal",
};

function feeOf({ kind, amount }: Movement): number {
  if (kind === "charge") return Math.round((amount * cardFee.percent) / 100) + cardFee.cents;
  return kind === "dispute" ? disputeFeeCents : 0;
}

function feeDetail(amount: number, currency: string): BalanceTransaction["fee_details"][number] {
  return {
    amount,
    currency,
    application: null,
    description: "Stripe processing fees",
    type: "stripe_fee",
  };
}

export function withStatus(transaction: BalanceTransaction): BalanceTransaction {
  const isAvailable = transaction.available_on <= unixSeconds();
  return { ...transaction, status: isAvailable ? "available" : "pending" };
}

/** `available` can be paid out now, `pending` later. */
export function balanceOf(store: Store, currency: string, account?: string) {
  const found = store.balances(unixSeconds(), account).find((one) => one.currency === currency);
  return found ?? { currency, available: 0, pending: 0 };
}

/** `GET /v1/balance` */
export function readBalance(store: Store, account?: string): object {
  const totals = store.balances(unixSeconds(), account);
  const ofKind = (kind: "available" | "pending") =>
    totals.map((total) => ({
      amount: total[kind],
      currency: total.currency,
      source_types: { card: total[kind] },
    }));
  return {
    object: "balance",
    available: ofKind("available"),
    livemode: false,
    pending: ofKind("pending"),
  };
}

/**
 * The name of a setting that is 1 if Stripe pays out the shop's balance daily. The sandbox reports
 * this setting, but never pays out the shop's balance.
 */
export const automaticPayouts = "automatic_payouts";

/** `GET /v1/balance_settings` */
export function readBalanceSettings(store: Store): Stripe.BalanceSettings {
  const interval = store.readSetting(automaticPayouts) === 1 ? "daily" : "manual";
  return {
    object: "balance_settings",
    payments: {
      debit_negative_balances: false,
      payouts: {
        automatic_transfer_rules_by_currency: null,
        minimum_balance_by_currency: null,
        schedule: { interval },
        statement_descriptor: null,
        status: "enabled",
      },
      settlement_timing: { delay_days: 2, start_of_day: null },
    },
  };
}
