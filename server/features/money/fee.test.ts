import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import { feeOf, feeText, noFee } from "#contract/fee.ts";
import { specifiedRules } from "#contract/invitation-rules.ts";
import { currencySign, formatPrice, roundCents, setCurrency, toDollars } from "#contract/price.ts";
import { dollars as price } from "#contract/price-schemas.ts";
import { discountCentsOf } from "../rewards/discounts.ts";

const currencies = ["USD", "JPY", "KWD"];
/** The smallest chargeable unit. With three decimals, the last digit must be 0. */
const stepOf = (currency: string) => (currency === "KWD" ? 10 : 1);

afterEach(() => setCurrency("USD"));

const dollars = (max: number) =>
  fc.integer({ min: 0, max: max * 100 }).map((cents) => toDollars(roundCents(cents)));

const rules = fc.record({
  percent: fc.double({ min: 0, max: 50, noNaN: true }),
  fixed: dollars(1_000),
  minimum: dollars(1_000),
  cap: fc.option(dollars(100_000)),
});

test.each(currencies)(
  "in %s, fee, seller's share and refund are multiples of the smallest chargeable unit and add up to the price",
  (currency) => {
    setCurrency(currency);
    const amount = fc.integer({ min: 0, max: 10_000_000 }).map(roundCents);
    fc.assert(
      fc.property(rules, amount, amount, (rule, paid, wanted) => {
        const refund = Math.min(paid, wanted);
        const fee = feeOf(paid - refund, rule);
        const seller = paid - refund - fee;
        expect(seller + fee + refund).toBe(paid);
        for (const part of [seller, fee, refund]) {
          expect(part).toBeGreaterThanOrEqual(0);
          expect(part % stepOf(currency)).toBe(0);
        }
        if (rule.cap !== null) expect(toDollars(fee)).toBeLessThanOrEqual(rule.cap);
        expect(
          discountCentsOf({ priceCents: paid, rules: specifiedRules }) % stepOf(currency),
        ).toBe(0);
      }),
    );
  },
);

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
  [{ ...noFee, fixed: 10, cap: 20 }, 64_000, 1_000, "$10"],
  [{ ...noFee, fixed: 10, minimum: 5, cap: 8 }, 64_000, 800, "$8"],
  [
    { ...noFee, percent: 5, fixed: 10, minimum: 5 },
    64_000,
    4_200,
    "5 percent of the price plus $10",
  ],
  [{ ...noFee, percent: 5, fixed: 10, cap: 8 }, 64_000, 800, "$8"],
  [{ ...noFee, percent: 5, minimum: 8, cap: 8 }, 64_000, 800, "$8"],
])("with the rule %o, a sale of %i cents has a fee of %i cents", (rule, cents, fee, words) => {
  expect(feeOf(cents, rule)).toBe(fee);
  expect(feeText(rule)).toBe(words);
});

test.each([
  ["USD", "$", "$450", "$1,299.50"],
  ["JPY", "¥", "¥450", "¥1,300"],
  ["KWD", "KWD", "KWD\u00a0450", "KWD\u00a01,299.500"],
  ["EUR", "€", "€450", "€1,299.50"],
])("prices in %s use the currency symbol %s", (currency, sign, whole, fraction) => {
  setCurrency(currency);
  expect(currencySign()).toBe(sign);
  expect(formatPrice(450)).toBe(whole);
  expect(formatPrice(1299.5)).toBe(fraction);
});

test.each([
  ["USD", 449.99, undefined],
  ["USD", 449.999, "Price can have at most two decimals, such as 449.99."],
  ["USD", 100_000.01, "Price can't be more than $100,000."],
  ["JPY", 10_000_000, undefined],
  ["JPY", 45_000.5, "Price must be a whole number, such as 45000."],
  ["JPY", undefined, "Price is required."],
  ["JPY", "x", "Price must be a number, such as 45000."],
  ["KWD", 199.95, undefined],
  ["KWD", 199.955, "Price can have at most two decimals, such as 449.99."],
  ["KWD", 10_000.01, "Price can't be more than KWD\u00a010,000."],
])("in %s, validating the price %s gives the message %s", (currency, value, message) => {
  setCurrency(currency);
  expect(price("Price").safeParse(value).error?.issues[0]?.message).toBe(message);
});
