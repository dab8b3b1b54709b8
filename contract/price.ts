let current: string;
let prices: Intl.NumberFormat;
/** How many of the currency's smallest units make one unit: 100 for dollars, 1 for yen. */
let scale: number;

/**
 * Sets the currency of every amount in this process, because a shop has only one currency
 * (decisions/shop-settings). In names, "dollars" are in this currency, and "cents" are its smallest
 * unit, such as 1 yen.
 */
export function setCurrency(currency = "USD"): void {
  if (currency === current) return;
  current = currency;
  prices = new Intl.NumberFormat("en-US", {
    style: "currency",
    currency,
    currencyDisplay: "narrowSymbol",
    trailingZeroDisplay: "stripIfInteger",
  });
  scale = 10 ** (prices.resolvedOptions().maximumFractionDigits ?? 2);
}

setCurrency();

/** The code of the shop's currency (ISO 4217). */
export function shopCurrency(): string {
  return current;
}

/** Converts dollars to integer cents. */
export function toCents(amount: number): number {
  return Math.round(amount * scale);
}

/** Converts integer cents to dollars. */
export function toDollars(cents: number): number {
  return cents / scale;
}

/** Rounds to an amount that Stripe can charge: Stripe rejects a third decimal. */
export function roundCents(cents: number): number {
  const step = scale > 100 ? 10 : 1;
  return step * Math.round(cents / step);
}

/** Formats dollars in the style of `$450` or `$1,299.50` (specification 9). */
export function formatPrice(amount: number): string {
  return prices.format(amount);
}

/** The sign before an amount, such as `$` or `kr`. */
export function currencySign(): string {
  return formatPrice(0).replace(/[\d\s]+/, "");
}

export type Prices = { resale_price: number; original_price: number };

/** Whether the two prices are plausible together. If not, one of them may be a typo. */
export function isPlausiblePrice({ resale_price, original_price }: Prices): boolean {
  return original_price >= resale_price && original_price <= resale_price * 20;
}
