import type { Booking } from "#contract/bookings.ts";
import { formatPrice } from "#contract/price.ts";

/** What is off the price, and why; empty if nothing is. */
export function savingLines({ discount, credit }: Pick<Booking, "discount" | "credit">) {
  return {
    ...(discount > 0 && { "Off, because a friend invited you": `−${formatPrice(discount)}` }),
    ...(credit > 0 && { "Your credit": `−${formatPrice(credit)}` }),
  };
}
