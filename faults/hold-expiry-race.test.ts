import { expect } from "vitest";
import { createPaymentIntent, recordPayment } from "#contract/payments.ts";
import { expireHold } from "#server/features/deals/end-hold.ts";
import { reconcile } from "#server/features/money/reconcile.ts";
import { shopTest } from "#server/testing/fixtures.ts";
import { paymentFor, price } from "#server/testing/marketplace.ts";
import { errorOf, type Person } from "#server/testing/people.ts";
import type { Shop } from "#server/testing/shop.ts";
import { violationsIn } from "./invariants.ts";
import { type Deal, openDeal } from "./provider/deals.ts";
import { runOptions, timeBudget } from "./run-options.ts";

const test = shopTest({ sandbox: true });

test.beforeAll(({ shop }) => shop.cards.injectFaults({ webhook: { hold: true } }));

const pay = (shop: Shop, { intent }: Deal) => shop.cards.pay(intent).catch(() => "refused");
const expire = (shop: Shop, { booking }: Deal) =>
  expireHold(shop.deps, booking).catch(() => "later");

async function stateOf(shop: Shop, { booking, product }: Deal): Promise<string> {
  const { state, sales_status } = await shop.deps.db
    .selectFrom("bookings")
    .innerJoin("products", "products.id", "product_id")
    .select(["state", "sales_status"])
    .where("bookings.id", "=", booking)
    .where("products.id", "=", product)
    .executeTakeFirstOrThrow();
  return `${state}, ${sales_status}`;
}

async function broken(shop: Shop, { acknowledged }: Deal): Promise<string[]> {
  await reconcile(shop.deps);
  return await violationsIn(shop, acknowledged);
}

/** Opens a deal, and advances the clock to the exact millisecond when its hold expires. */
async function dealRunningOut(shop: Shop, seller: Person): Promise<Deal> {
  const deal = await openDeal(shop, seller);
  shop.clock.advance(shop.deps.config.times.holdHours * 60);
  return deal;
}

test("a laptop is sold if the buyer pays just before the shop ends the expired hold", async ({
  shop,
  seller,
}) => {
  const deal = await dealRunningOut(shop, seller);
  expect(await pay(shop, deal)).toBe("succeeded");
  await expire(shop, deal);
  expect(await stateOf(shop, deal)).toBe("paid, sold");
  expect(await broken(shop, deal)).toEqual([]);
});

test("§10.10: the laptop is available again and the buyer is not charged if the shop ends the expired hold just before the payment", async ({
  shop,
  seller,
}) => {
  const deal = await dealRunningOut(shop, seller);
  await expire(shop, deal);
  expect(await pay(shop, deal)).toBe("refused");
  const body = paymentFor(deal);
  const told = await errorOf(deal.buyer.call(recordPayment, { body }));
  expect(told).toMatchObject({ code: "PAYMENT_NOT_CONFIRMED" });
  expect(await stateOf(shop, deal)).toBe("expired, available");
  expect(await broken(shop, deal)).toEqual([]);
});

test("if a hold expires during payment and reconciliation, the laptop ends up either sold or available", async ({
  shop,
  seller,
}) => {
  const hasTime = timeBudget();
  for (let times = 0; times < (runOptions().long ? 200 : 6) && hasTime(); times += 1) {
    const deal = await dealRunningOut(shop, seller);
    const body = paymentFor(deal);
    const tell = () => deal.buyer.call(recordPayment, { body }).catch(() => undefined);
    const things = [
      () => pay(shop, deal).then(tell),
      () => expire(shop, deal),
      () => reconcile(shop.deps),
    ];
    const [paid] = await Promise.all(things.map((thing) => thing()));
    expect(await broken(shop, deal)).toEqual([]);
    const outcome = await stateOf(shop, deal);
    expect(["paid, sold", "expired, available"]).toContain(outcome);
    if (paid !== undefined) expect(outcome).toBe("paid, sold");
  }
});

test("a hold is payable until its last millisecond", async ({ shop, seller }) => {
  const deal = await openDeal(shop, seller);
  const ask = () =>
    deal.buyer.call(createPaymentIntent, { body: { price, bookingId: deal.booking } });
  const millisecond = 1 / 60_000;
  shop.clock.advance(shop.deps.config.times.holdHours * 60 - millisecond);
  expect(await ask()).toMatchObject({ clientSecret: expect.stringContaining(deal.intent) });
  shop.clock.advance(millisecond);
  expect(await errorOf(ask())).toMatchObject({ code: "BOOKING_NOT_PAYABLE" });
});
