import fc from "fast-check";
import { expect } from "vitest";
import { reconcile } from "#server/features/money/reconcile.ts";
import { settleDeals } from "#server/features/money/settle-deals.ts";
import { shopTest } from "#server/testing/fixtures.ts";
import { violationsIn } from "../invariants.ts";
import { logResult, propertyOptions, propertyTimeout } from "../run-options.ts";
import { commands } from "./commands.ts";
import { newModel } from "./model.ts";
import { closeWorld, openWorld } from "./real-system.ts";

const test = shopTest({ sandbox: true });
test.beforeAll(({ shop }) => shop.cards.injectFaults({ webhook: { hold: true } }));

test(
  "after random commands, the shop's responses and visible data match the model",
  async ({ shop }) => {
    let runs = 0;
    let steps = 0;
    const sequences = fc.commands(commands, { maxCommands: 80, size: "max" });
    const property = fc.asyncProperty(sequences, async (sequence) => {
      const world = await openWorld(shop);
      await fc.asyncModelRun(
        () => ({ model: newModel(world.products.length), real: world }),
        sequence,
      );
      await reconcile(shop.deps);
      await settleDeals(shop.deps);
      expect(await violationsIn(shop, world.acknowledged)).toEqual([]);
      await closeWorld(world);
      runs += 1;
      steps += world.steps;
    });
    await fc.assert(property, propertyOptions(4));
    logResult(`${runs} sequences of ${steps} steps were answered as the model says.`);
  },
  propertyTimeout(),
);
