import fc from "fast-check";
import { expect } from "vitest";
import { shopTest } from "#server/testing/fixtures.ts";
import { violationsIn } from "../invariants.ts";
import { logResult, propertyOptions, propertyTimeout } from "../run-options.ts";
import { CreditWorld } from "./credit-world.ts";

const test = shopTest({ sandbox: true });

const nth = fc.nat({ max: 11 });
/** `who` selects a member or deal, `from` a seller or inviter, and `much` a price or refund. */
const step = fc.record({
  what: fc.oneof(
    { weight: 4, arbitrary: fc.constant("buy" as const) },
    { weight: 2, arbitrary: fc.constant("pay" as const) },
    { weight: 2, arbitrary: fc.constant("reward" as const) },
    fc.constantFrom("join", "cheat", "buyTwo", "cancel", "refund", "release", "complain", "expire"),
  ),
  who: nth,
  from: nth,
  much: nth,
});

test(
  "after each random step, members have the credit that the rules grant, and none for inviting themselves",
  async ({ shop, admin }) => {
    await shop.cards.injectFaults({ webhook: { hold: true } });
    // The model has no limits on discounts. server/features/rewards/abuse.test.ts tests the limits.
    const limits = {
      discountsPerInviter: 1_000,
      discountsPerSeller: 1_000,
      monthlyBudget: 1e6,
      creditPerSeller: 1e6,
    };
    shop.deps.config.invitations = { ...shop.deps.config.invitations, limits };
    let histories = 0;
    let steps = 0;
    const property = fc.asyncProperty(
      fc.array(step, { minLength: 40, maxLength: 40 }),
      async (history) => {
        const world = await CreditWorld.open({ shop, admin });
        for (const { what, ...choice } of history) {
          await world[what](choice);
          expect(await world.observed(), what).toEqual(world.expected());
          steps += 1;
        }
        await world.cancelAll();
        expect(await violationsIn(shop)).toEqual([]);
        histories += 1;
      },
    );
    await fc.assert(property, propertyOptions(1));
    logResult(`${histories} histories of credit, of ${steps} steps, ended as the model says.`);
  },
  propertyTimeout(),
);
