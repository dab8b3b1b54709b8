import { z } from "zod";

const wholeCents = /^\d{1,7}(\.\d{1,2})?$/;

/**
 * A price on the wire: dollars with at most two decimals, as a number or, from the specification's
 * own form, as its digits. Parsed to a number of dollars.
 */
export function dollars(message: string, { min = 0, max = 100_000 } = {}) {
  return z
    .union([z.number(), z.string().trim()], message)
    .refine((value) => value !== "", message)
    .refine(
      (value) => value === "" || wholeCents.test(String(value)),
      "Write a price in dollars with at most two decimals, such as 450 or 449.99.",
    )
    .transform(Number)
    .refine(
      (value) => !Number.isFinite(value) || (value >= min && value <= max),
      `The price must be from $${min} to $${max.toLocaleString("en-US")}.`,
    );
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
