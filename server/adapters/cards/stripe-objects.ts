import type { Stripe } from "stripe";
import type { DisputeState } from "#contract/life-cycle.ts";
import type { BalanceTransaction, Dispute, Intent, Refund } from "./port.ts";

/** Replaces an intent that Stripe doesn't have, such as one from the shop's previous account. */
export const unknownIntent = {
  clientSecret: "",
  status: "cancelled",
  amountCents: 0,
  refundedCents: 0,
  refunds: [],
  disputes: [],
  currency: "",
  bookingId: undefined,
  chargeId: undefined,
  cardFingerprint: undefined,
} satisfies Omit<Intent, "id">;

export function toIntent(intent: Stripe.PaymentIntent, disputes: Stripe.Dispute[] = []): Intent {
  const charge = chargeOf(intent);
  const refunds = charge?.refunds?.data ?? [];
  return {
    id: intent.id,
    clientSecret: intent.client_secret ?? "",
    status: statuses[intent.status] ?? "processing",
    amountCents: intent.amount,
    refundedCents: charge ? refundedCents(charge) : 0,
    refunds: refunds.map(toRefund),
    disputes: disputes.map(toDispute),
    currency: intent.currency,
    bookingId: intent.metadata.bookingId,
    chargeId: intent.status === "succeeded" ? chargeIdOf(intent) : undefined,
    cardFingerprint: charge?.payment_method_details?.card?.fingerprint ?? undefined,
  };
}

/** Returns null if there is no charge or Stripe sent only the charge's id. */
export function chargeOf({ latest_charge: charge }: Stripe.PaymentIntent): Stripe.Charge | null {
  return typeof charge === "string" ? null : charge;
}

function chargeIdOf({ latest_charge: charge }: Stripe.PaymentIntent): string | undefined {
  return typeof charge === "string" ? charge : charge?.id;
}

/** Excludes failed refunds if the charge lists all its refunds. */
function refundedCents({ amount_refunded, refunds }: Stripe.Charge): number {
  if (!refunds || refunds.has_more) return amount_refunded;
  const accepted = refunds.data.filter((refund) => toRefund(refund).state !== "failed");
  return accepted.reduce((sum, { amount }) => sum + amount, 0);
}

export function toRefund(refund: Stripe.Refund): Refund {
  const { id, amount: amountCents, failure_reason: failureReason, status } = refund;
  const metadata = refund.metadata ?? {};
  return {
    id,
    amountCents,
    state: refundStates[status ?? ""] ?? "pending",
    failureReason,
    metadata,
  };
}

/** `failed`: the money did not leave, or came back. Other statuses mean `pending`. */
const refundStates: Record<string, Refund["state"]> = {
  succeeded: "succeeded",
  failed: "failed",
  canceled: "failed",
};

function toDispute(dispute: Stripe.Dispute): Dispute {
  const { id, status, amount, reason, created, evidence_details } = dispute;
  const { due_by } = evidence_details;
  return {
    id,
    reason,
    amountCents: amount,
    state: disputeStates[status] ?? "open",
    respondBy: due_by && status.endsWith("needs_response") ? new Date(due_by * 1_000) : null,
    openedAt: new Date(created * 1_000),
    movements: dispute.balance_transactions
      .toSorted((one, other) => one.created - other.created)
      .map((transaction) => transaction.amount),
  };
}

/** The transaction's `source` must be expanded. */
export function toBalanceTransaction(transaction: Stripe.BalanceTransaction): BalanceTransaction {
  const { id, type, amount, fee, currency, created, source } = transaction;
  const expanded = typeof source === "string" ? null : source;
  const intentId = expanded ? intentOf(expanded) : undefined;
  const isPayment = expanded?.object === "charge" && intentId !== undefined;
  return {
    id,
    type,
    currency,
    intentId,
    amountCents: amount,
    feeCents: fee,
    reference: isPayment ? intentId : (expanded?.id ?? id),
    createdAt: new Date(created * 1_000),
  };
}

function intentOf(source: object): string | undefined {
  const intent = "payment_intent" in source ? source.payment_intent : undefined;
  return typeof intent === "string" ? intent : undefined;
}

const statuses: Partial<Record<Stripe.PaymentIntent.Status, Intent["status"]>> = {
  requires_payment_method: "open",
  requires_confirmation: "open",
  requires_action: "open",
  requires_capture: "processing",
  processing: "processing",
  succeeded: "succeeded",
  canceled: "cancelled",
};

/** Other statuses mean `open`. */
const disputeStates: Partial<Record<Stripe.Dispute.Status, DisputeState>> = {
  warning_needs_response: "inquiry",
  warning_under_review: "inquiry",
  won: "won",
  warning_closed: "won",
  prevented: "won",
  lost: "lost",
};
