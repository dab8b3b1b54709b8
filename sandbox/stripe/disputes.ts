import type Stripe from "stripe";
import { addBalanceTransaction } from "./balance.ts";
import { unixSeconds } from "./clock.ts";
import { type ApiResponse, invalidRequest, resourceMissing } from "./errors.ts";
import { requireFile } from "./files.ts";
import { newId } from "./new-objects.ts";
import type { Charge, Dispute } from "./objects.ts";
import type { Store } from "./store.ts";
import type { TestCard } from "./test-cards.ts";

const answerSeconds = 9 * 24 * 60 * 60;

/** `amount` is in cents. By default, the test card determines it. */
type NewDispute = NonNullable<TestCard["dispute"]> & { amount?: number };

/** Opens a dispute. With `inquiry`, the bank asks before taking the money. */
export function openDispute(
  store: Store,
  charge: Charge,
  { reason, inquiry, partOf = 1, amount = charge.amount / partOf }: NewDispute,
): void {
  const dispute: Dispute = {
    id: newId("du"),
    object: "dispute",
    amount,
    balance_transactions: [],
    charge: charge.id,
    created: unixSeconds(),
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: noEvidence,
    evidence_details: {
      due_by: unixSeconds() + answerSeconds,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
    },
    is_charge_refundable: inquiry,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    reason,
    status: inquiry ? "warning_needs_response" : "needs_response",
  };
  store.put({ ...charge, disputed: true });
  store.saveWithEvent("charge.dispute.created", dispute);
  if (!inquiry)
    store.saveWithEvent("charge.dispute.funds_withdrawn", withMovement(store, dispute, "dispute"));
}

function withMovement(
  store: Store,
  dispute: Dispute,
  kind: "dispute" | "dispute_reversal",
): Dispute {
  const { id: source, currency, balance_transactions: before } = dispute;
  const amount = kind === "dispute" ? -dispute.amount : dispute.amount;
  const transaction = addBalanceTransaction(store, { kind, amount, currency, source });
  return { ...dispute, balance_transactions: [...before, transaction] };
}

type Evidence = Record<string, string | undefined>;

/**
 * Accepts evidence once. As in Stripe's test mode, the text `winning_evidence` or `losing_evidence`
 * decides the dispute.
 */
export function submitEvidence(store: Store, id: string, given: Evidence): ApiResponse {
  const dispute = findOpen(store, id);
  const { evidence, evidence_details: details } = dispute;
  if (details.due_by !== null && details.due_by < unixSeconds())
    throw invalidRequest("The deadline for submitting evidence has passed.");
  if (given.uncategorized_file) requireFile(store, given.uncategorized_file);
  const text = given.uncategorized_text;
  const answered: Dispute = {
    ...dispute,
    evidence: { ...evidence, ...given },
    evidence_details: { ...details, has_evidence: true, submission_count: 1 },
  };
  const isInquiry = dispute.status === "warning_needs_response";
  if (text === "winning_evidence") return close(store, answered, "won");
  if (text === "losing_evidence") return close(store, answered, "lost");
  const inReview: Dispute = {
    ...answered,
    status: isInquiry ? "warning_under_review" : "under_review",
  };
  store.saveWithEvent("charge.dispute.updated", inReview);
  return { status: 200, body: inReview };
}

/** Ends the bank's inquiries about a charge, as a full refund does. */
export function closeInquiries(store: Store, charge: string): void {
  for (const dispute of store.list("dispute", { charge, limit: 100 }))
    if (isOpenInquiry(dispute)) close(store, dispute, "won");
}

function isOpenInquiry({ status }: Dispute): boolean {
  return status === "warning_needs_response" || status === "warning_under_review";
}

function close(store: Store, dispute: Dispute, outcome: "won" | "lost"): ApiResponse {
  const isInquiry = isOpenInquiry(dispute);
  const status = isInquiry && outcome === "won" ? "warning_closed" : outcome;
  const closed: Dispute = {
    ...dispute,
    ...(outcome === "lost" && { is_charge_refundable: false }),
    status,
  };
  store.saveWithEvent("charge.dispute.closed", closed);
  const isWithdrawn = dispute.balance_transactions.length > 0;
  if (isWithdrawn !== (outcome === "won")) return { status: 200, body: closed };
  const moved = withMovement(store, closed, isWithdrawn ? "dispute_reversal" : "dispute");
  const event = isWithdrawn ? "funds_reinstated" : "funds_withdrawn";
  store.saveWithEvent(`charge.dispute.${event}`, moved);
  return { status: 200, body: moved };
}

/** Reverses the bank's decision, and moves the money back. */
export function flipDispute(store: Store, id: string): ApiResponse {
  const dispute = store.find("dispute", id);
  if (!dispute) throw resourceMissing("dispute", id);
  const { status } = dispute;
  if (status !== "won" && status !== "lost")
    throw invalidRequest("Only a dispute that is won or lost can be decided anew.");
  const flipped: Dispute = { ...dispute, status: status === "won" ? "lost" : "won" };
  store.saveWithEvent("charge.dispute.closed", flipped);
  const moved = withMovement(store, flipped, status === "won" ? "dispute" : "dispute_reversal");
  const event = status === "won" ? "funds_withdrawn" : "funds_reinstated";
  store.saveWithEvent(`charge.dispute.${event}`, moved);
  return { status: 200, body: moved };
}

function findOpen(store: Store, id: string): Dispute {
  const dispute = store.find("dispute", id);
  if (!dispute) throw resourceMissing("dispute", id);
  if (dispute.status === "needs_response" || dispute.status === "warning_needs_response")
    return dispute;
  throw invalidRequest("This dispute is already closed.");
}

const noEvidence: Stripe.Dispute.Evidence = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null,
};
