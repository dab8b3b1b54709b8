import type { Booking } from "#contract/bookings.ts";
import { formatPrice } from "#contract/price.ts";

/** Subtracted from the price, by label; empty if there are none. */
export function savingLines({ discount, credit }: Pick<Booking, "discount" | "credit">) {
  return {
    ...(discount > 0 && { "Off, because a friend invited you": `−${formatPrice(discount)}` }),
    ...(credit > 0 && { "Your credit": `−${formatPrice(credit)}` }),
  };
}

/** Sentences that explain, before payment, why an invited friend gets no discount. */
export const noDiscountSentences: Record<NonNullable<Booking["noDiscount"]>, string> = {
  inviter:
    "You don't get the invitation discount on this laptop: other friends of the person who invited you have used all discounts of the last 30 days. It's for your first purchase only, so if you buy now, you can't get it later.",
  seller:
    "You don't get the invitation discount on this laptop: other buyers from this seller have used all discounts of the last 30 days. It's for your first purchase only, so to keep it, choose a laptop from another seller.",
  budget:
    "You don't get the invitation discount on this laptop: we've given out all discounts for now. It's for your first purchase only, so if you buy now, you can't get it later.",
};

export function creditLimitedText(credit: number): string {
  const used = credit === 0 ? "None" : `Only ${formatPrice(credit)}`;
  return `${used} of your credit can be used on this laptop: this seller's laptops have taken all the credit they can in 30 days. The rest stays yours for another laptop.`;
}
