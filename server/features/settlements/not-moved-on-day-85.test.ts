import { expect } from "vitest";
import { settleLeftover } from "#contract/deal-records.ts";
import { toggleSuspension } from "#contract/members.ts";
import { settleRefund } from "#contract/payments.ts";
import { emailsTo } from "../../testing/booking-emails.ts";
import { dealTest } from "../../testing/fixtures.ts";
import type { Deal } from "../../testing/marketplace.ts";
import type { Person } from "../../testing/people.ts";
import {
  connectBank,
  day,
  handOver,
  hour,
  moneyOf,
  settlementOf,
  wait,
} from "../../testing/settlements.ts";
import type { Shop } from "../../testing/shop.ts";
import { recordReversals } from "./record-reversals.ts";

const price = 64_000;
const part = 10_000;

const test = dealTest()
  .extend("handedOver", async ({ deal, pay, cards, seller, holdWebhooks }) => {
    await holdWebhooks();
    await pay(deal);
    await connectBank(cards, seller);
    await handOver(deal);
    return deal;
  })
  /** The seller was paid. */
  .extend("sold", async ({ shop, handedOver }) => {
    await wait(shop, 72 * hour);
    return handedOver;
  })
  /** Takes $100 back from the seller, as an admin does in the provider's dashboard. */
  .extend("takeBack", ({ shop, cards, sold }) => async () => {
    await cards.reverseTransfer(sold.booking, part);
    await recordReversals(shop.deps, sold.booking);
    await wait(shop, 1);
  });

const leftoverEmails = async (shop: Shop, admin: Person, { booking }: Deal) =>
  (await emailsTo(shop, admin)).filter(({ text }) => text.includes(`/dashboard/deal/${booking}`));

const withoutBalance = test.extend("withoutBalance", async ({ cards, handedOver }) => {
  const code = "balance_insufficient";
  const failNext = { method: "POST", path: "/v1/transfers", status: 400, code, times: 99 };
  await cards.injectFaults({ failNext, webhook: { hold: true } });
  return handedOver;
});

withoutBalance(
  "a seller's money waits for as long as the shop's own balance is too small",
  async ({ shop, cards, withoutBalance: deal }) => {
    for (const minutes of [72 * hour, 4 * day, 80 * day, day, day, 12 * day])
      await wait(shop, minutes);
    expect(await moneyOf(shop, deal)).toEqual({ held: price });
    await cards.injectFaults({ webhook: { hold: true } });
    await wait(shop, day);
    expect(await moneyOf(shop, deal)).toEqual({ transferred: price });
  },
);

withoutBalance(
  "the money of a seller waits for ten days after they were suspended",
  async ({ shop, admin, seller, withoutBalance: deal }) => {
    await wait(shop, 72 * hour);
    await wait(shop, 81 * day);
    await admin.call(toggleSuspension, { body: { id: seller.id, suspended: false } });
    for (const minutes of [2 * day, 7 * day]) await wait(shop, minutes);
    expect(await settlementOf(shop, deal)).toMatchObject({ state: "releasing" });
    await wait(shop, 2 * day);
    expect(await settlementOf(shop, deal)).toMatchObject({ state: "refunding" });
  },
);

test("admins have ten days for what came back after the last email, too", async ({
  shop,
  admin,
  sold,
  takeBack,
}) => {
  await takeBack();
  await wait(shop, 80 * day);
  await takeBack();
  expect(await leftoverEmails(shop, admin, sold)).toHaveLength(2);
  await wait(shop, 9 * day);
  expect(await moneyOf(shop, sold)).toEqual({ transferred: price - 2 * part, held: 2 * part });
  await wait(shop, day);
  await wait(shop, 1);
  expect(await moneyOf(shop, sold)).toEqual({ transferred: price - 2 * part, refunded: 2 * part });
});

test("money that came back waits for a part that was given up, however long, and is sent after it", async ({
  shop,
  cards,
  admin,
  sold,
  takeBack,
}) => {
  const failNext = { method: "POST", path: "/v1/refunds", status: 400, times: 99 };
  await cards.injectFaults({ failNext, webhook: { hold: true } });
  await takeBack();
  const body = { to: "buyer" as const, amount: 100 };
  await admin.call(settleLeftover, { params: { id: sold.booking }, body });
  for (const minutes of [1, hour, day]) await wait(shop, minutes);
  await takeBack();
  for (const minutes of [86 * day, 1, hour, day, 30 * day]) await wait(shop, minutes);
  expect(await moneyOf(shop, sold)).toEqual({ transferred: price - 2 * part, held: 2 * part });
  expect(await leftoverEmails(shop, admin, sold)).toHaveLength(1);
  await cards.injectFaults({ webhook: { hold: true } });
  await admin.call(settleRefund, { body: { bookingId: sold.booking } });
  for (const minutes of [1, 10 * day, 1, 1]) await wait(shop, minutes);
  expect(await leftoverEmails(shop, admin, sold)).toHaveLength(2);
  expect(await moneyOf(shop, sold)).toEqual({ transferred: price - 2 * part, refunded: 2 * part });
});
