import { setTimeout as wait } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { describe, expect } from "vitest";
import { findBookingToPay } from "#contract/bookings.ts";
import { stripeCards } from "#server/adapters/cards/stripe.ts";
import { hostedServices } from "#server/adapters/hosted-services.ts";
import { reconcile } from "#server/features/money/reconcile.ts";
import { shopTest } from "#server/testing/fixtures.ts";
import type { Shop } from "#server/testing/shop.ts";
import { violationsIn } from "../invariants.ts";
import { runOptions, sample } from "../run-options.ts";
import { type Deal, giveBack, letGo, openDeal, pay, record } from "./deals.ts";

const test = shopTest({ sandbox: true, worker: true });

test.afterEach(({ shop }) => shop.cards.injectFaults({}));

/** Returns the violations that remain after a reconciliation. */
async function broken(shop: Shop, ...deals: Deal[]): Promise<string[]> {
  await shop.cards.injectFaults({});
  await reconcile(shop.deps);
  const told = deals.flatMap(({ acknowledged }) => acknowledged);
  const inspect = () => violationsIn(shop, told);
  await expect
    .poll(inspect)
    .toEqual([])
    .catch(() => {});
  return await inspect();
}

const orderOf = ({ buyer, booking }: Deal) =>
  buyer.call(findBookingToPay, { params: { id: booking } });

const calls = [
  { what: "opening an intent", method: "POST", path: "/v1/payment_intents" },
  { what: "reading an intent", method: "GET", path: "/v1/payment_intents/:id" },
  { what: "paying", method: "POST", path: "/v1/payment_intents/:id/confirm" },
  { what: "canceling an intent", method: "POST", path: "/v1/payment_intents/:id/cancel" },
  { what: "refunding", method: "POST", path: "/v1/refunds" },
];
/** Not tested: Stripe opens an intent but returns 500 even to retries. The shop opens another. */
const hidesIntent = { path: "/v1/payment_intents", status: 500, afterWork: true };
const failures = calls
  .flatMap((call) =>
    [500, "hangup"].flatMap((status) =>
      [true, false].flatMap((afterWork) =>
        // Stripe's library retries once. That suffices after one failure, but not after four.
        [1, 4].map((times) => ({ ...call, status, afterWork, times })),
      ),
    ),
  )
  .filter((one) => !isDeepStrictEqual({ ...one, ...hidesIntent }, one));

test.for(sample(failures, 4))(
  "every cent is accounted for if $what fails with $status $times times (work done: $afterWork)",
  async (failure, { shop, admin, seller }) => {
    const { what: _, ...failNext } = failure;
    await shop.cards.injectFaults({ failNext });
    const [bought, returned, left] = [
      await openDeal(shop, seller),
      await openDeal(shop, seller),
      await openDeal(shop, seller),
    ];
    for (const deal of [bought, returned]) {
      await pay(shop, deal);
      await record(deal);
    }
    await letGo(left);
    await giveBack(admin, returned);
    expect(await broken(shop, bought, returned, left)).toEqual([]);
    const states = await Promise.all([bought, returned, left].map(orderOf));
    expect(states.map(({ state }) => state)).toEqual(["paid", "refunded", "cancelled"]);
  },
);

describe("payment webhooks", () => {
  const deliveries = [
    { how: "late and newest first", faults: { webhook: { delayMs: 300, newestFirst: true } } },
    { how: "before the response to the buyer", faults: { delayMs: 400 } },
  ];
  test.for(deliveries)(
    "a webhook delivered $how marks the booking paid only once",
    async ({ faults }, { shop, seller }) => {
      const deal = await openDeal(shop, seller);
      await shop.cards.injectFaults(faults);
      const paying = pay(shop, deal);
      await expect.poll(async () => (await orderOf(deal)).paid).toBe(true);
      await paying;
      await record(deal);
      expect(await broken(shop, deal)).toEqual([]);
    },
  );

  test("the webhook marks the booking paid while the client still waits for a late response", async ({
    shop,
    seller,
  }) => {
    const deal = await openDeal(shop, seller);
    void shop.cards.pay(deal.intent, "pm_card_answersLate").catch(() => {});
    await expect.poll(async () => (await orderOf(deal)).paid).toBe(true);
    expect(await broken(shop, deal)).toEqual([]);
  });
});

test("the shop opens only one intent, even if the provider times out after doing the work", async ({
  shop,
  seller,
}) => {
  const { stripe } = hostedServices(shop.deps.config, shop.sandbox);
  Object.assign(shop.deps, { cards: stripeCards({ ...stripe, timeoutMs: 500 }) });
  await shop.cards.injectFaults({ delayMs: 1_100 });
  const opening = openDeal(shop, seller);
  // One attempt times out after half a second. With `--minutes`, many attempts time out.
  await wait(runOptions().long ? 10_000 : 600);
  await shop.cards.injectFaults({});
  const deal = await opening;
  await pay(shop, deal);
  await record(deal);
  expect(await broken(shop, deal)).toEqual([]);
});
