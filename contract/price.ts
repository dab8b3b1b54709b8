let current: string;
let prices: Intl.NumberFormat;
/** The currency's smallest units in one unit: 100 for dollars, 1 for yen. */
let scale: number;

/**
 * Sets the currency of every amount in this process (decisions/shop-settings). In names, "dollars"
 * are in this currency, and "cents" are its smallest unit, such as 1 yen.
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

/** An ISO 4217 code. */
export function shopCurrency(): string {
  return current;
}

export function toCents(amount: number): number {
  return Math.round(amount * scale);
}

export function toDollars(cents: number): number {
  return cents / scale;
}

/** Rounds to an amount that Stripe can charge: it rejects a third decimal. */
export function roundCents(cents: number): number {
  const step = scale > 100 ? 10 : 1;
  return step * Math.round(cents / step);
}

/** Such as `$450` or `$1,299.50` (specification 9). */
export function formatPrice(amount: number): string {
  return prices.format(amount);
}

export function currencySign(): string {
  return formatPrice(0).replace(/[\d\s]+/, "");
}

export type Prices = { resale_price: number; original_price: number };

export function isPlausiblePrice({ resale_price, original_price }: Prices): boolean {
  return original_price >= resale_price && original_price <= resale_price * 20;
}

/** In dollars. 0 if implausible: above 95%, one of the two prices is probably a typo. */
export function savings(prices: Prices): number {
  return isPlausiblePrice(prices) ? prices.original_price - prices.resale_price : 0;
}
