import { z } from "zod";

const wholeCents = /^\d{1,7}(\.\d{1,2})?$/;

const wholeCentsMessage =
  "Write a price in dollars with at most two decimals, such as 450 or 449.99.";

/** A price on the wire: a number of dollars with at most two decimals. */
export function dollars(message: string, { min = 0, max = 100_000 } = {}) {
  return z
    .number({
      error: ({ input }) => ((input ?? "") === "" ? message : "Send the price as a number."),
    })
    .refine((value) => wholeCents.test(String(value)), wholeCentsMessage)
    .refine(
      (value) => value >= min && value <= max,
      `The price must be from $${min} to $${max.toLocaleString("en-US")}.`,
    );
}

/** The same as a form has it: digits somebody typed. */
export function typedDollars(message: string, range: { min?: number; max?: number } = {}) {
  return z
    .string(message)
    .trim()
    .min(1, message)
    .refine((value) => value === "" || wholeCents.test(value), wholeCentsMessage)
    .transform(Number)
    .pipe(dollars(message, range));
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
