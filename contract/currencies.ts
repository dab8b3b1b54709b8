import { shopCurrency } from "./price.ts";

/**
 * The currencies a shop can have, grouped by the smallest card payment that we accept, in hundreds
 * of cents. Stripe's minimum is lower. Left out: currencies that Stripe pays out by special rules
 * (HUF, ISK, TWD, UGX), and those in which a laptop can cost more than 10 million cents.
 */
const byLeastPayment: Record<number, string> = {
  1: "AUD CAD CHF EUR GBP JPY NZD SGD USD",
  5: "AED BHD BRL DKK HKD JOD KWD MYR NOK OMR PLN RON SEK",
  20: "CZK MXN THB",
};

const leastPayments = new Map(
  Object.entries(byLeastPayment).flatMap(([hundreds, codes]) =>
    codes.split(" ").map((code) => [code, 100 * Number(hundreds)] as const),
  ),
);

export const currencies = [...leastPayments.keys()].sort();

/** The smallest card payment that we accept, in cents. Card providers reject tiny payments. */
export function leastPaymentCents(): number {
  return leastPayments.get(shopCurrency()) ?? 100;
}
