import type { Booking } from "#contract/bookings.ts";
import { formatPrice } from "#contract/price.ts";

/** What is off the price, and why; empty if nothing is. */
export function savingLines({ discount, credit }: Pick<Booking, "discount" | "credit">) {
  return {
    ...(discount > 0 && { "Off, because a friend invited you": `−${formatPrice(discount)}` }),
    ...(credit > 0 && { "Your credit": `−${formatPrice(credit)}` }),
  };
}

/** Why an invited friend pays the whole price; it is said before they pay. */
export const noDiscountSentences: Record<NonNullable<Booking["noDiscount"]>, string> = {
  inviter:
    "There's no invitation discount right now: the person who invited you has reached the limit for 30 days. It's only for your first purchase, so if you pay now, you can't use it later.",
  seller:
    "There's no invitation discount on this laptop: this seller has reached the limit for 30 days. It's only for your first purchase, so you may want to choose a laptop from another seller.",
  budget:
    "We've given out all invitation discounts for now. The discount is only for your first purchase, so if you pay now, you can't use it later.",
};
