import fc from "fast-check";
import { expect } from "vitest";
import { shopTest } from "#server/testing/fixtures.ts";
import { violationsIn } from "../invariants.ts";
import { logResult, propertyOptions, propertyTimeout, runOptions } from "../run-options.ts";
import { ReturnedMoneyWorld } from "./returned-money-world.ts";

const test = shopTest({ sandbox: true });

const atProvider = ["refund", "failRefund", "dispute", "decide", "takeBack", "setAccount"] as const;
const byPeople = ["complain", "decideComplaint", "sendOn", "sendAnotherWay", "tryAgain"] as const;
const byTheShop = ["hear", "passHour", "passDays", "breakNext"] as const;

const length = runOptions().long ? 25 : 12;

const step = fc.record({
  what: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...atProvider) },
    { weight: 1, arbitrary: fc.constantFrom(...byPeople) },
    { weight: 2, arbitrary: fc.constantFrom(...byTheShop) },
  ),
  cents: fc.constantFrom(3_000, 10_000, 25_000, 64_000),
  which: fc.nat({ max: 11 }),
});

test(
  "after random refunds and disputes, the shop owes the buyer what the model says, and counts each cent once",
  async ({ shop, admin }) => {
    let histories = 0;
    let steps = 0;
    const property = fc.asyncProperty(
      fc.array(step, { minLength: length, maxLength: length }),
      async (history) => {
        const world = await ReturnedMoneyWorld.open(shop, admin);
        for (const { what, ...choice } of history) {
          await world[what](choice);
          steps += 1;
        }
        const [last = { cents: 0, which: 0 }] = history;
        await world.finish(last);
        histories += 1;
      },
    );
    await fc.assert(property, propertyOptions(1));
    expect(await violationsIn(shop)).toEqual([]);
    logResult(
      `${histories} histories of money that comes back, of ${steps} steps, ended as they should.`,
    );
  },
  propertyTimeout(),
);
