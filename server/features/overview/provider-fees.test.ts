import { expect } from "vitest";
import { readAdminOverview } from "#contract/overview.ts";
import { deal } from "../../testing/deal.ts";
import { dealTest } from "../../testing/fixtures.ts";
import { day } from "../../testing/settlements.ts";
import { reconcileLedger } from "../money/reconcile-ledger.ts";

const test = dealTest({ webhooks: false });

test("§10.23: an admin sees the card provider's fees in total, per completed sale, and per deal", async ({
  shop,
  admin,
}) => {
  const fees = async () => (await admin.call(readAdminOverview, {})).fees;
  expect(await fees()).toEqual({ earned: 0, charged: 0, chargedPerSale: null });
  const sale = await deal(shop, "released", { feePercent: 5 });
  await deal(shop, "paid");
  expect(await sale.record(admin)).toMatchObject({ providerFee: null });
  await reconcileLedger(shop.deps);
  // 2.9% of $640 plus 30 cents.
  expect(await sale.record(admin)).toMatchObject({ providerFee: 18.86 });
  expect(await fees()).toEqual({ earned: 32, charged: 37.72, chargedPerSale: 18.86 });
  await deal(shop, "released");
  expect(await fees()).toEqual({ earned: 32, charged: 37.72, chargedPerSale: 18.86 });
  shop.clock.advance(13 * 7 * day);
  expect(await fees()).toEqual({ earned: 0, charged: 0, chargedPerSale: null });
});

test("a payment that only the ledger comparison finds gets its fee, too", async ({
  shop,
  admin,
}) => {
  const sale = await deal(shop, "charged");
  await reconcileLedger(shop.deps);
  expect(await sale.record(admin)).toMatchObject({ state: "paid", providerFee: 18.86 });
});
