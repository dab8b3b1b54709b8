import { formatPrice } from "#contract/price.ts";
import type { PartRefund } from "#contract/price-schemas.ts";
import { formatDateTime } from "../../ui/format-dates-and-counts.ts";

/** Descriptions of the card provider's reason codes that can apply to a sale. */
const reasons: Record<string, string> = {
  credit_not_processed: "the buyer says a promised refund didn't arrive",
  duplicate: "the buyer says they paid twice",
  fraudulent: "the buyer says they didn't make the payment",
  product_not_received: "the buyer says they didn't get the laptop",
  product_unacceptable: "the buyer says the laptop isn't as described",
  unrecognized: "the buyer doesn't recognize the payment",
};

export function disputeReason(code: string): string {
  return reasons[code] ?? "the bank gave no reason that we know";
}

/** `respondBy` is null once the inquiry has been answered. */
export function inquiryText(respondBy: string | null): string {
  const answer =
    respondBy === null
      ? ". The bank has an answer."
      : `, or answer it at the card provider by ${formatDateTime(respondBy)}.`;
  return `The buyer's bank asks about this payment. Refund it to avoid a dispute${answer}`;
}

const failures = {
  buyer: "to your card. We'll get in touch about another way to send it.",
  seller: "to the buyer's card. We'll send it another way.",
};

export function partRefundText(part: PartRefund, reader: keyof typeof failures): string {
  const owed = formatPrice(part.owed);
  const texts = [
    part.refunded > 0 && `${formatPrice(part.refunded)} refunded.`,
    part.owed > 0 && !part.failed && `We're refunding ${owed} of the price.`,
    part.failed && `We couldn't refund ${owed} of the price ${failures[reader]}`,
  ];
  return texts.filter(Boolean).join(" ");
}
