import type { Complaint, ComplaintReason } from "#contract/complaints.ts";
import { formatPrice } from "#contract/price.ts";
import { formatDate } from "#web/ui/format.ts";

export const reasonNames: Record<ComplaintReason, string> = {
  not_as_described: "It isn't as described",
  not_working: "It doesn't work properly",
  missing_parts: "Something is missing",
  not_received: "I don't have it",
  other: "Something else",
};

const answers = {
  refund: "The seller refunds all of it.",
  disagree: "The seller disagrees. An admin decides.",
};

/** What the seller has answered, in a sentence. */
export function answerText({ answer }: Complaint): string {
  if (answer === null) return "The seller hasn't answered yet.";
  if (answer.answer !== "offer") return answers[answer.answer];
  return `The seller offers to refund ${formatPrice(answer.offer ?? 0)}; the buyer keeps the laptop.`;
}

/** Who has to do something until when, and what happens if nobody does. */
export function nextSteps({
  answer,
  answerBy,
  adminsDecide,
  decideBy,
  refundAt,
  price,
}: Complaint) {
  const inTheEnd = `If nobody has decided by ${formatDate(refundAt)}, the buyer gets all of the ${formatPrice(price)} back.`;
  const decides = `one of our admins decides by ${formatDate(decideBy)}`;
  if (adminsDecide) return `Now ${decides}. ${inTheEnd}`;
  const whose =
    answer === null ? "the seller doesn't answer" : "the buyer doesn't accept the offer";
  const until = answer === null ? ` by ${formatDate(answerBy)}` : "";
  return `If ${whose}${until}, ${decides}. ${inTheEnd}`;
}

/** How it was decided, in a sentence. */
export function decisionText({ decision, price, settlement }: Complaint): string {
  if (decision === null) return "";
  const { refund } = decision;
  if (settlement === "refunded" && refund < price)
    return "The buyer has all of their money back, so nothing is left for the seller.";
  if (refund === 0) return "Closed without a refund. The seller gets the money.";
  if (refund >= price) return `The buyer gets all of the ${formatPrice(price)} back.`;
  return `The buyer gets ${formatPrice(refund)} back, and the seller the rest.`;
}
