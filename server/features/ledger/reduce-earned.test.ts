import { expect } from "vitest";
import { transact } from "../../db/database.ts";
import { dealTest } from "../../testing/fixtures.ts";
import { earnedBy, handOver } from "../../testing/settlements.ts";
import { reduceEarned } from "./reduce-earned.ts";

const test = dealTest();

test("what a seller has earned never falls below nothing", async ({ shop, seller, deal, pay }) => {
  await pay(deal);
  await handOver(deal);
  expect(await earnedBy(seller)).toBe(640);
  for (const earned of [40, 0, 0]) {
    await transact(shop.deps.db, "test", (tx) => reduceEarned(tx, deal.booking, 60_000));
    expect(await earnedBy(seller)).toBe(earned);
  }
});
