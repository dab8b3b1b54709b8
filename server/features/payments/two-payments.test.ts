import { expect } from "vitest";
import { listPayments, refundBooking, settleRefund } from "#contract/payments.ts";
import type { Deps } from "../../deps.ts";
import { sendRefund } from "../../testing/credits.ts";
import { dealTest } from "../../testing/fixtures.ts";
import type { Deal } from "../../testing/marketplace.ts";
import type { Person } from "../../testing/people.ts";
import { connectBank, handOver, hour, moneyOf, wait } from "../../testing/settlements.ts";
import { settleIntent } from "./webhook.ts";

const little = 1_000;
const price = 64_000;

/** The booking of a deal is paid twice: first by another intent, which is over too little, so that it goes back. */
const test = dealTest().extend("paidTwice", async ({ shop, cards, deal, pay, holdWebhooks }) => {
  await holdWebhooks();
  const { booking: bookingId, buyer } = deal;
  const order = { bookingId, amountCents: little, currency: "usd", email: buyer.email };
  const { id: other } = await shop.deps.cards.openIntent(order);
  await cards.pay(other);
  await settleIntent(shop.deps, other);
  await pay(deal);
  return { ...deal, other };
});

/** As if its refund had failed three times. */
async function giveUp({ db }: Pick<Deps, "db">, intent: string): Promise<void> {
  await db
    .updateTable("payments")
    .set({ state: "refund_failed" })
    .where("transaction_id", "=", intent)
    .execute();
}

async function unsentOf(admin: Person, intent: string) {
  const [payment] = await admin.call(listPayments, { query: { search: intent } });
  return payment?.unsent;
}

test("what the buyer has back of one payment doesn't count for the other", async ({
  shop,
  admin,
  paidTwice: deal,
}) => {
  await admin.call(refundBooking, { body: { bookingId: deal.booking } });
  await giveUp(shop.deps, deal.other);
  await sendRefund(shop, deal);
  expect(await unsentOf(admin, deal.intent)).toBe(0);
  expect(await unsentOf(admin, deal.other)).toBe(10);
  await admin.call(settleRefund, { body: { bookingId: deal.booking } });
  expect(await moneyOf(shop, deal)).toEqual({ refunded: price + little });
});

test("the seller gets nothing of a payment that could not be refunded", async ({
  shop,
  cards,
  admin,
  seller,
  paidTwice: deal,
}) => {
  await giveUp(shop.deps, deal.other);
  await connectBank(cards, seller);
  await handOver(deal);
  await wait(shop, 72 * hour);
  expect(await moneyOf(shop, deal)).toEqual({ transferred: price, held: little });
  await admin.call(settleRefund, { body: { bookingId: deal.booking } });
  expect(await moneyOf(shop, deal)).toEqual({ transferred: price, refunded: little });
});

test("a refund of one payment that the bank sends back is not made from the other", async ({
  shop,
  cards,
  paidTwice: deal,
}) => {
  await sendRefund(shop, deal);
  expect(await moneyOf(shop, deal)).toEqual({ held: price, refunded: little });
  const [refund] = (await shop.deps.cards.findIntent(deal.other)).refunds;
  await cards.failRefund(refund?.id ?? "");
  await settleIntent(shop.deps, deal.other);
  expect(await partsOf(shop.deps, deal)).toEqual([]);
  shop.clock.advance(hour);
  await sendRefund(shop, deal);
  expect(await moneyOf(shop, deal)).toEqual({ held: price, refunded: little });
});

async function partsOf({ db }: Pick<Deps, "db">, { booking }: Deal) {
  return await db
    .selectFrom("partial_refunds")
    .select("id")
    .where("booking_id", "=", booking)
    .execute();
}
