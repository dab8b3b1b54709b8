import { expect } from "vitest";
import { settleIntent } from "#server/features/payments/webhook.ts";
import { dealTest } from "#server/testing/fixtures.ts";
import {
  connectBank,
  handOver,
  hour,
  moneyOf,
  settlementOf,
  transfersOf,
  wait,
} from "#server/testing/settlements.ts";
import { checkInvariants } from "./invariants.ts";
import { countViolations } from "./load/quiesce.ts";

const price = 64_000;
const debt = 10_000;

const test = dealTest()
  /** A sale that has paid a part of the seller's debt; the transfer of the rest was refused. */
  .extend("sale", async ({ shop, cards, seller, hold, pay, holdWebhooks }) => {
    await holdWebhooks();
    await connectBank(cards, seller);
    const [owed, sale] = [await hold(), await hold()];
    for (const deal of [owed, sale]) await pay(deal);
    await handOver(owed);
    await wait(shop, 72 * hour);
    await cards.refund(owed.intent, debt);
    await settleIntent(shop.deps, owed.intent);
    await handOver(sale);
    const refusal = { status: 400, code: "balance_insufficient", times: 1 };
    await cards.injectFaults({
      failNext: { method: "POST", path: "/v1/transfers", ...refusal },
      webhook: { hold: true },
    });
    await wait(shop, 72 * hour);
    return sale;
  })
  .extend("violations", ({ shop, cards }) => {
    return async () => checkInvariants(shop.pool, await cards.ledger(), [], shop.clock.now());
  });

test("a sale whose remainder is refused after a set-off waits an hour, and breaks no invariant", async ({
  shop,
  sale,
  violations,
}) => {
  expect(await transfersOf(shop, sale)).toMatchObject([
    { state: "refused", refusal: "balance_insufficient", cents: price - debt },
  ]);
  expect(await settlementOf(shop, sale)).toMatchObject({ state: "releasing" });
  expect(await moneyOf(shop, sale)).toEqual({ held: price - debt, transferred: debt });
  expect(await violations()).toEqual([]);
  await wait(shop, 1 * hour);
  expect(await settlementOf(shop, sale)).toMatchObject({ state: "released" });
  expect(await moneyOf(shop, sale)).toEqual({ transferred: price });
  expect(await violations()).toEqual([]);
});

test("a sale that waits past the time of its next attempt is found", async ({
  shop,
  sale,
  violations,
}) => {
  shop.clock.advance(1 * hour);
  const found = await violations();
  expect(found).toEqual([
    expect.stringMatching(`Booking ${sale.booking} has waited for its next transfer since .+\\.`),
  ]);
  expect(countViolations(found)).toEqual({ lost: 0, doubled: 0, charged: 0 });
});

test.for([
  ["its seller has no active account", "update payout_accounts set transfers_active = false"],
  ["its seller is suspended", "update members set suspended_at = now()"],
])("a sale may wait longer while %s", async ([, statement = ""], { shop, sale, violations }) => {
  await shop.pool.query(statement);
  await wait(shop, 2 * hour);
  expect(await settlementOf(shop, sale)).toMatchObject({ state: "releasing" });
  expect(await violations()).toEqual([]);
});
