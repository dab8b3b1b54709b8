import { setCurrency, shopCurrency } from "./price.ts";

/**
 * The smallest card payment that we accept, in cents. Stripe's minimum is lower. We leave out
 * currencies with special payout rules at Stripe (HUF, ISK, TWD, UGX). We also leave out those in
 * which a laptop can cost over 10 million cents. THB is missing because Stripe keeps money in
 * Thailand for only ten days, and a complaint can take longer.
 */
const byMinCents: Record<number, string> = {
  100: "AUD CAD CHF EUR GBP JPY NZD SGD USD",
  500: "AED BHD BRL DKK HKD JOD KWD MYR NOK OMR PLN RON SEK",
  2000: "CZK MXN",
};

export const currencies = Object.values(byMinCents).join(" ").split(" ").sort();

/** Returns the smallest card payment in the shop's currency, in cents. */
export function minPaymentCents(): number {
  const amounts = Object.entries(byMinCents);
  return Number(amounts.find(([, codes]) => codes.includes(shopCurrency()))?.[0] ?? 100);
}

/** Calculates in `currency`, for the form where an owner chooses the shop's currency. */
export function inCurrency<T>(currency: string, calculate: () => T): T {
  const own = shopCurrency();
  setCurrency(currency);
  try {
    return calculate();
  } finally {
    setCurrency(own);
  }
}
