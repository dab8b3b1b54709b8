import { isPlausiblePrice } from "#contract/price.ts";

/** Also 0 for a saving above 95%, because one of the two prices must then be a typo. */
export function savings({ resale, original }: { resale: number; original: number }): number {
  const prices = { resale_price: resale, original_price: original };
  return isPlausiblePrice(prices) ? original - resale : 0;
}
