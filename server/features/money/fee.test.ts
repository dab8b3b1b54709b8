import fc from "fast-check";
import { expect, test } from "vitest";
import { feeOf, feeText, noFee } from "#contract/fee.ts";

const dollars = (max: number) => fc.integer({ min: 0, max: max * 100 }).map((cents) => cents / 100);

const rules = fc.record({
  percent: fc.double({ min: 0, max: 50, noNaN: true }),
  fixed: dollars(1_000),
  minimum: dollars(1_000),
  cap: fc.option(dollars(100_000)),
});

test("the fee is whole cents, never negative, and never more than the sale", () => {
  fc.assert(
    fc.property(rules, fc.integer({ min: 0, max: 10_000_000 }), (rule, cents) => {
      const fee = feeOf(cents, rule);
      expect(Number.isInteger(fee)).toBe(true);
      expect(fee).toBeGreaterThanOrEqual(0);
      expect(fee).toBeLessThanOrEqual(cents);
      if (rule.cap !== null) expect(fee).toBeLessThanOrEqual(Math.round(rule.cap * 100));
    }),
  );
});

test("a seller never gets more after a refund than without one", () => {
  fc.assert(
    fc.property(rules, fc.nat(1_000_000), fc.nat(1_000_000), (rule, kept, refunded) => {
      const gets = (cents: number) => cents - feeOf(cents, rule);
      expect(gets(kept)).toBeLessThanOrEqual(gets(kept + refunded));
    }),
  );
});

test.each([
  [noFee, 64_000, 0, ""],
  [{ ...noFee, percent: 5 }, 64_000, 3_200, "5 percent of the price"],
  [{ ...noFee, percent: 5, fixed: 1 }, 64_000, 3_300, "5 percent of the price plus $1"],
  [{ ...noFee, percent: 5, cap: 20 }, 64_000, 2_000, "5 percent of the price, at most $20"],
  [{ ...noFee, percent: 5, minimum: 3 }, 1_000, 300, "5 percent of the price, at least $3"],
  [{ ...noFee, fixed: 4.5 }, 64_000, 450, "$4.50"],
  [{ ...noFee, minimum: 3 }, 64_000, 300, "$3"],
  [{ ...noFee, percent: 5, cap: 0 }, 64_000, 0, ""],
  [{ ...noFee, fixed: 4 }, 300, 300, "$4"],
])("with the rule %o, a sale of %i cents has a fee of %i cents", (rule, cents, fee, words) => {
  expect(feeOf(cents, rule)).toBe(fee);
  expect(feeText(rule)).toBe(words);
});
