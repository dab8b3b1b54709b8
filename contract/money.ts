import { z } from "zod";
import { formatPrice, toCents, toDollars } from "./price.ts";

type Range = { min?: number; max?: number };

/** A price in dollars with at most two decimals. `name` begins each error message. */
export function dollars(name: string, { min = 0, max = 100_000 }: Range = {}) {
  return z
    .number({
      error: ({ input }) =>
        (input ?? "") === ""
          ? `${name} is required.`
          : `${name} must be a number, such as 450 or 449.99.`,
    })
    .min(min, { error: `${name} can't be less than ${formatPrice(min)}.`, abort: true })
    .max(max, { error: `${name} can't be more than ${formatPrice(max)}.`, abort: true })
    .refine(
      (value) => toDollars(toCents(value)) === value,
      `${name} can have at most two decimals, such as 449.99.`,
    );
}

/** Like `dollars`, for a form's text field. */
export function typedDollars(name: string, range: Range = {}) {
  const required = `${name} is required.`;
  return z.string(required).trim().min(1, required).transform(Number).pipe(dollars(name, range));
}

/** The part of a paid price that goes back to the buyer, in dollars. */
export const partRefund = z.object({
  refunded: z.number(),
  /** The part that is not refunded yet. */
  owed: z.number(),
  /** Whether `owed` can't go to the card, so an admin has to send it by other means. */
  failed: z.boolean(),
});

export type PartRefund = z.output<typeof partRefund>;
