import { isPlausiblePrice } from "#contract/price.ts";

/**
 * The saving in dollars; 0 if there is none. Over 95%, one price must be a typo, so the saving is
 * also 0.
 */
export function savings({ resale, original }: { resale: number; original: number }): number {
  const prices = { resale_price: resale, original_price: original };
  return isPlausiblePrice(prices) ? original - resale : 0;
}
