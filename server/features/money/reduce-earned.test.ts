import { expect } from "vitest";
import { transact } from "../../db/database.ts";
import { deal } from "../../testing/deal.ts";
import { dealTest } from "../../testing/fixtures.ts";
import { earnedBy } from "../../testing/settlements.ts";
import { reduceEarned } from "./part-refund.ts";

const test = dealTest();

test("a seller's earnings never fall below zero", async ({ shop }) => {
  const sale = await deal(shop, "handedOver");
  expect(await earnedBy(sale.seller)).toBe(640);
  for (const earned of [40, 0, 0]) {
    await transact(shop.deps.db, "test", (tx) => reduceEarned(tx, sale.booking, 60_000));
    expect(await earnedBy(sale.seller)).toBe(earned);
  }
});
