import { z } from "zod";
import { minPaymentCents } from "./currencies.ts";
import { formatPrice, roundCents, toCents, toDollars } from "./price.ts";

/** Limits in cents. */
type Range = { minCents?: () => number; maxCents?: number };

/** The default maximum: 100,000 dollars or 10 million yen. */
const maxPriceCents = 10_000_000;

/** The lowest price is the smallest card payment. */
export const priceRange = { minCents: minPaymentCents };

const isWhole = () => toCents(1) === 1;
const examples = () => (isWhole() ? "45000" : "450 or 449.99");

/** An amount in dollars. `name` begins each error message. */
export function dollars(
  name: string,
  { minCents = () => 0, maxCents = maxPriceCents }: Range = {},
) {
  const limit = (words: string, cents: number) =>
    `${name} can't be ${words} than ${formatPrice(toDollars(cents))}.`;
  return z
    .number({
      error: ({ input }) =>
        (input ?? "") === ""
          ? `${name} is required.`
          : `${name} must be a number, such as ${examples()}.`,
    })
    .refine((value) => value >= toDollars(minCents()), {
      error: () => limit("less", minCents()),
      abort: true,
    })
    .refine((value) => value <= toDollars(maxCents), {
      error: () => limit("more", maxCents),
      abort: true,
    })
    .refine((value) => toDollars(roundCents(toCents(value))) === value, {
      error: () =>
        isWhole()
          ? `${name} must be a whole number, such as 45000.`
          : `${name} can have at most two decimals, such as 449.99.`,
    });
}

export function typedDollars(name: string, range: Range = {}) {
  const required = `${name} is required.`;
  return z.string(required).trim().min(1, required).transform(Number).pipe(dollars(name, range));
}

/** The part of a price refunded to the buyer, in dollars. Null for no refund or a full one. */
export const partRefund = z.object({
  refunded: z.number(),
  owed: z.number(),
  /** Whether `owed` can't go to the card, so that an admin has to send it by other means. */
  failed: z.boolean(),
});

export type PartRefund = z.output<typeof partRefund>;
