import type { NeedsYouItem, NeedsYouReason } from "./needs-you.ts";
import { formatPrice } from "./price.ts";

const sentences: Record<NeedsYouReason, (price: string) => string> = {
  refund_failed: (price) =>
    `The buyer's card didn't take a refund of ${price}. Try again, or send it another way.`,
  refund_late: (price) =>
    `A refund of ${price} has been due for more than an hour. We go on trying.`,
  transfer_refused: (price) =>
    `The card provider didn't send the seller their ${price}. We go on trying; look at the deal to see why.`,
  transferred_twice: (price) =>
    `The card provider sent the seller their money twice, and they still owe ${price}. We take it back from their balance there, or keep it from their next sales. If they have neither, ask them for it.`,
  balance_too_small: (price) =>
    `Your balance at the card provider is too small to send the seller ${price}. Add money there, or wait for new payments.`,
  unclaimed: (price) =>
    `${price} waits for a seller who can't receive it: they have no bank account, or are suspended. Remind them, or return it to the buyer.`,
  came_back: (price) => `${price} came back after this sale was settled. Decide who gets it.`,
  inquiry: (price) =>
    `The buyer's bank is asking about a card payment of ${price}. Refund it, or answer on the card provider's site.`,
  dispute: (price) => `The buyer's bank has taken back ${price}. Send it your evidence.`,
  complaint: (price) => `Buyer and seller don't agree about ${price}. Decide who gets it.`,
  return_late: (price) =>
    `The buyer gets ${price} back once the seller has the laptop, but the seller hasn't confirmed the return. Refund the buyer, or give the money to the seller.`,
  discount: (price) => `The seller waits for ${price} until you've checked the buyer's invitation.`,
  difference: (price) =>
    `The card provider and our ledger differ by ${price}. Find out which is right.`,
};

export function needsYouText({ reason, amount }: Pick<NeedsYouItem, "reason" | "amount">): string {
  return sentences[reason](formatPrice(amount));
}
