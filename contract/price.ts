/** Dollars to integer cents. */
export function toCents(amount: number): number {
  return Math.round(amount * 100);
}

/** Integer cents to dollars. */
export function toDollars(cents: number): number {
  return cents / 100;
}

const whole = new Intl.NumberFormat("en-US");
const withCents = new Intl.NumberFormat("en-US", {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});

/** `$450`, `$1,299.50` (specification 9). */
export function formatPrice(amount: number): string {
  return `$${(Number.isInteger(amount) ? whole : withCents).format(amount)}`;
}
