import { afterAll, beforeAll, expect, test } from "vitest";
import { bookProduct, maxHoldsPerNetwork } from "#contract/bookings.ts";
import { insertLaptop } from "#server/testing/insert-laptop.ts";
import { orderFor } from "#server/testing/marketplace.ts";
import { member } from "#server/testing/people.ts";
import { cancelHolds } from "./finish-pending-work.ts";
import { type Interleaver, interleave, openInterleaver } from "./interleave.ts";
import { available } from "./prepare-states.ts";

let interleaver: Interleaver;
beforeAll(async () => {
  interleaver = await openInterleaver({ RATE_LIMIT: "on" });
});
afterAll(() => interleaver.close());

test("two buyers on one network never both get the network's last hold", async () => {
  const { shop, rival } = interleaver;
  const seller = await member(shop, { accountType: "seller" });
  for (let holds = 1; holds < maxHoldsPerNetwork; holds += 1) {
    const product = await insertLaptop(shop, seller);
    const asking = { who: await member(shop), verb: "hold", body: orderFor(product) };
    expect((await rival.request(bookProduct, asking)).result).toBe("ok");
  }
  const result: string[][] = [];
  for (let step = 0, reached = true; reached; step += 1) {
    const scenario = await available({ shop, executor: rival });
    const met = await interleave(interleaver, scenario, {
      first: "book",
      rival: "bookSecondByOther",
      step,
    });
    result.push([met.first.result, met.rival.result].sort());
    await cancelHolds(shop.deps, scenario);
    reached = met.reached;
  }
  expect(result.length).toBeGreaterThan(5);
  expect(result).toEqual(result.map(() => ["TOO_MANY_HOLDS", "ok"]));
});
