import { describe, expect } from "vitest";
import { complain, decideComplaint } from "#contract/complaints.ts";
import { readDealRecord, settleLeftover } from "#contract/deal-records.ts";
import { listSales } from "#contract/payouts.ts";
import { emailsTo } from "../../testing/booking-emails.ts";
import { give } from "../../testing/credits.ts";
import { dealTest } from "../../testing/fixtures.ts";
import { type Deal, listLaptop, openDeal, payForDeal } from "../../testing/marketplace.ts";
import { errorOf } from "../../testing/people.ts";
import {
  connectBank,
  day,
  earnedBy,
  handOver,
  hour,
  moneyOf,
  settlementOf,
  transfersOf,
  wait,
} from "../../testing/settlements.ts";
import type { Shop } from "../../testing/shop.ts";
import { refundPayment } from "../booking-lifecycle/refunds.ts";
import { settleIntent } from "../payments/webhook.ts";
import { recordReversals } from "./record-reversals.ts";

const price = 64_000;
const part = 10_000;
const rest = 54_000;

const test = dealTest()
  .extend("handedOver", async ({ cards, seller, deal, pay, holdWebhooks }) => {
    await holdWebhooks();
    await connectBank(cards, seller);
    await pay(deal);
    await handOver(deal);
    return deal;
  })
  /** An admin has refunded $100 in the provider's dashboard. The bank sends it back, of which the shop has not heard. */
  .extend("sentBack", async ({ shop, cards, handedOver: deal }) => {
    await cards.refund(deal.intent, part);
    await settleIntent(shop.deps, deal.intent);
    const { refunds } = await shop.deps.cards.findIntent(deal.intent);
    await cards.failRefund(refunds[0]?.id ?? "");
    return deal;
  })
  /** The seller was paid, and an admin has taken $100 back in the provider's dashboard although they owe nothing. */
  .extend("takenBack", async ({ shop, cards, handedOver: deal }) => {
    await wait(shop, 72 * hour);
    await cards.reverseTransfer(deal.booking, part);
    await recordReversals(shop.deps, deal.booking);
    return deal;
  });

/** The provider has closed the account of a deal's seller. */
async function closeAccount({ deps }: Shop, { booking }: Deal): Promise<void> {
  const { seller_id } = await deps.db
    .selectFrom("settlements")
    .select("seller_id")
    .where("booking_id", "=", booking)
    .executeTakeFirstOrThrow();
  await deps.db
    .updateTable("payout_accounts")
    .set({ transfers_active: false })
    .where("member_id", "=", seller_id)
    .execute();
}

async function attemptsOf({ deps }: Shop, { booking }: Deal) {
  return await deps.db
    .selectFrom("partial_refunds")
    .select(["state", "failed_at", "cents"])
    .where("booking_id", "=", booking)
    .orderBy("attempt")
    .execute();
}

describe("a part that was refunded in the provider's dashboard, and that the bank sends back", () => {
  test("stays the buyer's, and is refunded again by the shop", async ({ shop, sentBack: deal }) => {
    for (let again = 0; again < 2; again += 1) await settleIntent(shop.deps, deal.intent);
    expect(await moneyOf(shop, deal)).toEqual({ held: price });
    await wait(shop, hour);
    expect(await moneyOf(shop, deal)).toEqual({ held: rest, refunded: part });
    await wait(shop, 72 * hour);
    expect(await moneyOf(shop, deal)).toEqual({ refunded: part, transferred: rest });
    expect(await attemptsOf(shop, deal)).toMatchObject([
      { state: "made", failed_at: expect.any(Date), cents: part },
      { state: "made", failed_at: null, cents: part },
    ]);
  });

  test("is not refunded by the shop once an admin has refunded it there again", async ({
    shop,
    cards,
    sentBack: deal,
  }) => {
    await cards.refund(deal.intent, part);
    await settleIntent(shop.deps, deal.intent);
    await wait(shop, 72 * hour);
    expect(await attemptsOf(shop, deal)).toEqual([]);
    expect(await moneyOf(shop, deal)).toEqual({ refunded: part, transferred: rest });
  });

  test("goes back with the rest if a complaint gives the buyer all of the money", async ({
    shop,
    admin,
    sentBack: deal,
  }) => {
    await settleIntent(shop.deps, deal.intent);
    const { booking: bookingId, buyer } = deal;
    const body = { bookingId, reason: "not_working" as const, words: "Dead keys." };
    await buyer.call(complain, { body });
    const decision = { refund: 640, words: "All of it." };
    await admin.call(decideComplaint, { params: { id: bookingId }, body: decision });
    await wait(shop, hour);
    expect(await settlementOf(shop, deal)).toMatchObject({ state: "refunding" });
    const { id } = await shop.deps.db
      .selectFrom("payments")
      .select("id")
      .where("booking_id", "=", bookingId)
      .executeTakeFirstOrThrow();
    await refundPayment(shop.deps, id);
    await wait(shop, 2 * day);
    expect(await settlementOf(shop, deal)).toMatchObject({ state: "refunded" });
    expect(await moneyOf(shop, deal)).toEqual({ refunded: price });
    expect(await attemptsOf(shop, deal)).toHaveLength(1);
  });
});

describe("money that was taken back from a seller who owes nothing", () => {
  test("is sent to the seller again by an admin, once", async ({
    shop,
    cards,
    admin,
    seller,
    hold,
    takenBack: deal,
  }) => {
    const params = { id: deal.booking };
    const send = (amount: number) =>
      errorOf(admin.call(settleLeftover, { params, body: { to: "seller", amount } }));
    expect(await admin.call(readDealRecord, { params })).toMatchObject({
      ...{ leftover: 100, leftoverToBuyer: 100 },
      reversals: [{ amount: 100, state: "made", by: "dashboard" }],
    });
    expect(await send(640)).toMatchObject({ code: "STALE" });
    await admin.call(settleLeftover, { params, body: { to: "seller", amount: 100 } });
    expect(await send(100)).toMatchObject({ code: "STALE" });
    expect(await settlementOf(shop, deal)).toMatchObject({ state: "releasing" });
    await wait(shop, 1);
    // A transfer of money left over needs what is available in the shop's balance: here that of another payment.
    await cards.pay((await hold()).intent);
    await cards.advanceClock(3);
    for (let again = 0; again < 2; again += 1) await wait(shop, 1 * day);
    expect(await settlementOf(shop, deal)).toMatchObject({ state: "released" });
    expect(await moneyOf(shop, deal)).toEqual({ transferred: price });
    expect(await transfersOf(shop, deal)).toMatchObject([
      { state: "made", cents: price, reversed_cents: part },
      { state: "refused", refusal: "balance_insufficient" },
      { state: "made", cents: part },
    ]);
    expect(await seller.call(listSales, {})).toMatchObject([{ sent: 640, state: "released" }]);
    expect(await admin.call(readDealRecord, { params })).toMatchObject({ leftover: 0 });
  });

  test("is not reported as money held for ten weeks while it is on its way", async ({
    shop,
    admin,
    takenBack: deal,
  }) => {
    const body = { to: "seller" as const, amount: 100 };
    await admin.call(settleLeftover, { params: { id: deal.booking }, body });
    await wait(shop, 80 * day);
    expect(await settlementOf(shop, deal)).toMatchObject({ round: 2, alarmed_at: null });
  });

  test("is not sent to a seller whose account is closed", async ({ shop, admin, takenBack }) => {
    await closeAccount(shop, takenBack);
    const params = { id: takenBack.booking };
    const order = { params, body: { to: "seller" as const, amount: 100 } };
    expect(await errorOf(admin.call(settleLeftover, order))).toMatchObject({ code: "STALE" });
    expect(await settlementOf(shop, takenBack)).toMatchObject({ state: "released", round: 1 });
  });

  test("goes to the buyer instead if the seller's account is closed while it is on its way", async ({
    shop,
    admin,
    seller,
    takenBack: deal,
  }) => {
    const params = { id: deal.booking };
    const send = (to: "buyer" | "seller") =>
      admin.call(settleLeftover, { params, body: { to, amount: 100 } });
    await send("seller");
    expect(await admin.call(readDealRecord, { params })).toMatchObject({ leftover: 0 });
    await closeAccount(shop, deal);
    await wait(shop, 1);
    const stuck = { leftover: 100, leftoverToBuyer: 100, leftoverWaits: true };
    expect(await admin.call(readDealRecord, { params })).toMatchObject(stuck);
    const alarms = async () =>
      (await emailsTo(shop, admin)).filter(
        ({ subject }) => subject === "$100 can't reach the seller",
      );
    expect(await alarms()).toMatchObject([
      {
        text: expect.stringMatching(
          /If they still can't on .+, it goes back to the buyer's card\./,
        ),
      },
    ]);
    expect(await errorOf(send("seller"))).toMatchObject({ code: "STALE" });
    await send("buyer");
    for (let again = 0; again < 2; again += 1) await wait(shop, 1 * day);
    expect(await moneyOf(shop, deal)).toEqual({ transferred: rest, refunded: part });
    expect(await settlementOf(shop, deal)).toMatchObject({ state: "released", round: 2 });
    expect(await earnedBy(seller)).toBe(540);
    expect(await alarms()).toHaveLength(1);
  });

  test("goes to the buyer only as far as they paid it by card", async ({
    shop,
    cards,
    admin,
    seller,
    buyer,
    hold,
    holdWebhooks,
  }) => {
    await holdWebhooks();
    await connectBank(cards, seller);
    await give(shop, buyer, 30);
    const deal = await openDeal(buyer, await listLaptop(seller));
    await payForDeal(cards, deal);
    await handOver(deal);
    // What the shop adds comes from its balance: here that of another payment.
    await cards.pay((await hold()).intent);
    await cards.advanceClock(3);
    await wait(shop, 72 * hour);
    await cards.reverseTransfer(deal.booking, price);
    await recordReversals(shop.deps, deal.booking);
    const params = { id: deal.booking };
    expect(await admin.call(readDealRecord, { params })).toMatchObject({
      leftover: 640,
      leftoverToBuyer: 610,
    });
    await wait(shop, 1);
    const told = (await emailsTo(shop, admin)).filter(({ subject }) => /^\$640 came/.test(subject));
    const partly =
      /^Hi .+,\n\nWe hold \$640 .*\$610 goes back to the buyer's card, and the other \$30 as/;
    expect(told).toMatchObject([{ text: expect.stringMatching(partly) }]);
    await admin.call(settleLeftover, { params, body: { to: "buyer", amount: 640 } });
    await wait(shop, 1 * day);
    expect(await moneyOf(shop, deal)).toMatchObject({ refunded: 61_000, held: 3_000 });
    expect(await earnedBy(seller)).toBe(30);
    for (const minutes of [1 * day, 86 * day, 1]) await wait(shop, minutes);
    expect(await moneyOf(shop, deal)).toEqual({ refunded: 61_000 });
    expect(await earnedBy(seller)).toBe(0);
    const back = (await emailsTo(shop, buyer)).find(({ subject }) => /goes back$/.test(subject));
    expect(back?.text).toContain("The $30 of credit that you used is yours to spend again");
    const { events } = await admin.call(readDealRecord, { params });
    expect(events).toContainEqual(expect.objectContaining({ verb: "return contribution" }));
  });

  test("leaves nothing earned of a sale that goes back whole, not even the shop's fee", async ({
    shop,
    cards,
    admin,
    seller,
    handedOver: deal,
  }) => {
    const { settlement } = shop.deps.config;
    shop.deps.config.settlement = { ...settlement, feePercent: 5 };
    await wait(shop, 72 * hour);
    shop.deps.config.settlement = settlement;
    await cards.reverseTransfer(deal.booking, 60_800);
    await recordReversals(shop.deps, deal.booking);
    const body = { to: "buyer" as const, amount: 608 };
    await admin.call(settleLeftover, { params: { id: deal.booking }, body });
    expect(await earnedBy(seller)).toBe(0);
  });

  test("is refunded to the buyer by an admin, once", async ({
    shop,
    admin,
    seller,
    takenBack: deal,
  }) => {
    const order = { params: { id: deal.booking }, body: { to: "buyer" as const, amount: 100 } };
    expect(await earnedBy(seller)).toBe(640);
    await admin.call(settleLeftover, order);
    expect(await earnedBy(seller)).toBe(540);
    expect(await errorOf(admin.call(settleLeftover, order))).toMatchObject({ code: "STALE" });
    for (let again = 0; again < 2; again += 1) await wait(shop, 1 * day);
    expect(await moneyOf(shop, deal)).toEqual({ transferred: rest, refunded: part });
    expect(await settlementOf(shop, deal)).toMatchObject({ state: "released" });
  });
});
