import { afterAll, beforeAll, expect, test } from "vitest";
import { bookProduct, maxHoldsPerNetwork } from "#contract/bookings.ts";
import { createMember } from "#server/testing/people.ts";
import { orderOf, putUpForSale } from "../product-fixtures.ts";
import { available } from "./initial-states.ts";
import { meet, openTheatre, type Theatre } from "./interleave.ts";
import { clear } from "./quiesce.ts";

let theatre: Theatre;
beforeAll(async () => {
  theatre = await openTheatre({ RATE_LIMIT: "on" });
});
afterAll(() => theatre.close());

test("two buyers of one network never both get the last hold it may have, whoever comes in which gap", async () => {
  const { shop, rival } = theatre;
  const { db } = shop.deps;
  const seller = await createMember(shop, { accountType: "seller" });
  for (let holds = 1; holds < maxHoldsPerNetwork; holds += 1) {
    const product = await putUpForSale(db, seller.id, shop.clock.now());
    const request = { body: orderOf(product) };
    const asking = { who: await createMember(shop), request, verb: "hold" };
    expect((await rival.ask(bookProduct, asking)).told).toBe("yes");
  }
  const told: string[][] = [];
  for (let gap = 0, inGap = true; inGap; gap += 1) {
    const scene = await available({ shop, stage: rival });
    const met = await meet(theatre, scene, { first: "book", rival: "bookSecondByOther", gap });
    told.push([met.first.told, met.rival.told].sort());
    await clear(shop.deps, scene);
    inGap = met.inGap;
  }
  expect(told.length).toBeGreaterThan(5);
  expect(told).toEqual(told.map(() => ["TOO_MANY_HOLDS", "yes"]));
});
