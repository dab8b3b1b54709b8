import { expect } from "vitest";
import { deal } from "#server/testing/deal.ts";
import { dealTest, withoutWebhooks } from "#server/testing/fixtures.ts";
import { hour, wait } from "#server/testing/settlements.ts";
import { violationsIn } from "./invariants.ts";
import { countViolations } from "./load/quiesce.ts";

const price = 64_000;
const debt = 10_000;

const test = dealTest({ webhooks: false })
  /** A sale that repaid the seller's earlier debt. The transfer of the remainder was rejected. */
  .extend("sale", async ({ shop }) => {
    const owed = await deal(shop, "released");
    await owed.refundElsewhere(debt);
    const sale = await deal(shop, "handedOver", { seller: owed.seller });
    const refusal = { status: 400, code: "balance_insufficient", times: 1 };
    await shop.cards.injectFaults({
      failNext: { method: "POST", path: "/v1/transfers", ...refusal },
      ...withoutWebhooks,
    });
    await wait(shop, 72 * hour);
    return sale;
  });

test("after a set-off, a rejected transfer of the remainder is retried after an hour and breaks no invariant", async ({
  shop,
  sale,
}) => {
  expect(await sale.transfers()).toMatchObject([
    { state: "refused", refusal: "balance_insufficient", cents: price - debt },
  ]);
  expect(await sale.settlement()).toMatchObject({ state: "releasing" });
  expect(await sale.money()).toEqual({ held: price - debt, transferred: debt });
  expect(await violationsIn(shop)).toEqual([]);
  await wait(shop, 1 * hour);
  expect(await sale.settlement()).toMatchObject({ state: "released" });
  expect(await sale.money()).toEqual({ transferred: price });
  expect(await violationsIn(shop)).toEqual([]);
});

test("the invariant check reports a sale whose next transfer attempt is overdue, except while its seller is suspended or has no active account", async ({
  shop,
  sale,
}) => {
  shop.clock.advance(1 * hour);
  const found = await violationsIn(shop);
  expect(found).toEqual([
    expect.stringMatching(`Booking ${sale.booking} has waited for its next transfer since .+\\.`),
  ]);
  expect(countViolations(found)).toEqual({ lost: 0, doubled: 0, charged: 0 });
  for (const statement of [
    "update payout_accounts set transfers_active = false",
    "update payout_accounts set transfers_active = true; update members set suspended_at = now()",
  ]) {
    await shop.pool.query(statement);
    await wait(shop, 2 * hour);
    expect(await sale.settlement(), statement).toMatchObject({ state: "releasing" });
    expect(await violationsIn(shop), statement).toEqual([]);
  }
});
