import { formatPrice } from "#contract/price.ts";
import type { PartRefund } from "#contract/price-schemas.ts";

const failures = {
  buyer: "to your card. We'll get in touch about another way to send it.",
  seller: "to the buyer's card. We'll send it in another way.",
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
