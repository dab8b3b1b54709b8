import { isPlausiblePrice } from "#contract/price.ts";

/**
 * The saving in dollars. 0 if there is none. Also 0 if it is over 95%, because one price must then
 * be a typo.
 */
export function savings({ resale, original }: { resale: number; original: number }): number {
  const prices = { resale_price: resale, original_price: original };
  return isPlausiblePrice(prices) ? original - resale : 0;
}
