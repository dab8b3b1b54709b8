/** Converts dollars to integer cents. */
export function toCents(amount: number): number {
  return Math.round(amount * 100);
}

/** Converts integer cents to dollars. */
export function toDollars(cents: number): number {
  return cents / 100;
}

const whole = new Intl.NumberFormat("en-US");
const withCents = new Intl.NumberFormat("en-US", {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});

/** Formats dollars in the style of `$450` or `$1,299.50` (specification 9). */
export function formatPrice(amount: number): string {
  return `$${(Number.isInteger(amount) ? whole : withCents).format(amount)}`;
}

export type Prices = { resale_price: number; original_price: number };

/** Whether the two prices are plausible together. If not, one of them may be a typo. */
export function isPlausiblePrice({ resale_price, original_price }: Prices): boolean {
  return original_price >= resale_price && original_price <= resale_price * 20;
}
