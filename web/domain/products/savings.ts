import { isPlausiblePrice } from "#contract/price.ts";

/**
 * The saving in dollars. It is 0 if there is none, and also if it is over 95%, because one price
 * must then be a typo.
 */
export function savings({ resale, original }: { resale: number; original: number }): number {
  const prices = { resale_price: resale, original_price: original };
  return isPlausiblePrice(prices) ? original - resale : 0;
}
