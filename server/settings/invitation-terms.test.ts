import { expect, test } from "vitest";
import { friendOffer, promoOf } from "#contract/invitation-rules.ts";
import { readConfig } from "../config.ts";

test("§9.6: by default, the promo shows the specification's amounts", () => {
  const { sentence, offers } = promoOf(readConfig({}).invitations.promo);
  expect(sentence).toContain(
    "Get $10 off for inviting a friend. They get 15% off their first purchase over $200 (up to $150), and you get $20 off your next one.",
  );
  expect(offers.map(({ amount }) => amount)).toEqual(["$10", "15%", "$20"]);
});

test("the invitation budget defaults to $1,000 a month, and the promo and the friend's offer say that supplies are limited", () => {
  for (const env of [{}, { INVITE_BUDGET_MONTH: "" }])
    expect(readConfig(env).invitations.limits.monthlyBudget).toBe(1_000);
  const { promo, limits } = readConfig({ INVITE_BUDGET_MONTH: "500" }).invitations;
  expect(limits.monthlyBudget).toBe(500);
  expect(promoOf(promo).sentence).toMatch(
    /\. Your credit arrives once their purchase is final\. While supplies last\.$/,
  );
  expect(friendOffer(promo)).toMatch(/up to \$150, while supplies last$/);
  expect(() => readConfig({ INVITE_BUDGET_MONTH: "-1" })).toThrow(
    "INVITE_BUDGET_MONTH: must be a number of dollars from 0 to 10000000",
  );
});

test("a setting with an invalid amount is rejected with a message", () => {
  expect(() => readConfig({ INVITE_DISCOUNTS_PER_SELLER: "1.5" })).toThrow(
    "INVITE_DISCOUNTS_PER_SELLER: must be a whole number from 0 to 1000",
  );
  for (const INVITE_CREDIT of ["-1", "ten", "1000", "1.005"])
    expect(() => readConfig({ INVITE_CREDIT })).toThrow(
      "INVITE_CREDIT: must be a number of dollars from 0 to 100, with at most two decimals",
    );
});
