import { z } from "zod";

type Range = { min?: number; max?: number };

/** A price on the wire: a number of dollars with at most two decimals; `name` begins each message about it. */
export function dollars(name: string, { min = 0, max = 100_000 }: Range = {}) {
  return z
    .number({
      error: ({ input }) =>
        (input ?? "") === ""
          ? `${name} is required.`
          : `${name} has to be a number, such as 450 or 449.99.`,
    })
    .min(min, { error: `${name} can't be less than ${formatPrice(min)}.`, abort: true })
    .max(max, { error: `${name} can't be more than ${formatPrice(max)}.`, abort: true })
    .refine(
      (value) => toDollars(toCents(value)) === value,
      `${name} can have at most two decimals, such as 449.99.`,
    );
}

/** The same as a form has it: digits somebody typed. */
export function typedDollars(name: string, range: Range = {}) {
  const required = `${name} is required.`;
  return z.string(required).trim().min(1, required).transform(Number).pipe(dollars(name, range));
}

/** Dollars on the wire to the integer cents inside. */
export function toCents(amount: number): number {
  return Math.round(amount * 100);
}

/** Integer cents inside to dollars on the wire. */
export function toDollars(cents: number): number {
  return cents / 100;
}

/** A price as people read it: `$450`, `$1,299.50` (specification 9: prices display with a $ sign). */
export function formatPrice(amount: number): string {
  const digits = Number.isInteger(amount) ? 0 : 2;
  return `$${amount.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits })}`;
}
