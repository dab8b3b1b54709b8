import { describe, expect } from "vitest";
import { listSales } from "#contract/payouts.ts";
import { emailsTo } from "../../testing/booking-emails.ts";
import { payAndDispute, reportDispute } from "../../testing/disputes.ts";
import { dealTest } from "../../testing/fixtures.ts";
import {
  accountOf,
  connectBank,
  day,
  handOver,
  hour,
  moneyOf,
  settlementOf,
  transfersOf,
  wait,
} from "../../testing/settlements.ts";
import { settleIntent } from "../payments/webhook.ts";
import { lookUpTransfer } from "./make-transfer.ts";
import { recordReversals } from "./record-reversals.ts";

const test = dealTest()
  /** Two sales, of which the first was paid out and is disputed since. */
  .extend("sales", async ({ shop, cards, seller, hold, pay }) => {
    await connectBank(cards, seller);
    const [first, second] = [await hold(), await hold()];
    for (const deal of [first, second]) await pay(deal);
    await handOver(first);
    await wait(shop, 72 * hour);
    await reportDispute(shop, first, { state: "open", movements: [-price] });
    return { first, second };
  });
const price = 64_000;

describe("money that goes back after the seller had it", () => {
  test("is owed by the seller, and kept from their next sale", async ({
    shop,
    cards,
    seller,
    hold,
    pay,
  }) => {
    await connectBank(cards, seller);
    const [first, second] = [await hold(), await hold()];
    for (const deal of [first, second]) await pay(deal);
    await handOver(first);
    await wait(shop, 72 * hour);
    await cards.refund(first.intent, 10_000);
    await settleIntent(shop.deps, first.intent);
    expect(await moneyOf(shop, first)).toEqual({
      transferred: price,
      refunded: 10_000,
      owed: 10_000,
    });
    await handOver(second);
    await wait(shop, 72 * hour);
    expect(await transfersOf(shop, second)).toMatchObject([{ state: "made", cents: 54_000 }]);
    expect(await moneyOf(shop, first)).toEqual({ transferred: 54_000, refunded: 10_000 });
    expect(await moneyOf(shop, second)).toEqual({ transferred: price });
    const [sale] = await seller.call(listSales, {});
    expect([640, 540]).toContain(sale?.sent);
  });

  test("by a reversal at the provider is no longer owed", async ({
    shop,
    cards,
    seller,
    deal,
    pay,
  }) => {
    await connectBank(cards, seller);
    await pay(deal);
    await handOver(deal);
    await wait(shop, 72 * hour);
    await cards.refund(deal.intent);
    await settleIntent(shop.deps, deal.intent);
    expect(await moneyOf(shop, deal)).toMatchObject({ owed: price });
    const [transfer] = await transfersOf(shop, deal);
    await shop.deps.cards.reverseTransfer({
      ...{ transferId: transfer?.provider_id ?? "", amountCents: price, metadata: {} },
      idempotencyKey: `reversal:${deal.booking}:1`,
    });
    for (let again = 0; again < 2; again += 1) await recordReversals(shop.deps, deal.booking);
    expect(await moneyOf(shop, deal)).toEqual({ refunded: price });
    expect(await transfersOf(shop, deal)).toMatchObject([{ state: "reversed" }]);
  });
});

describe("a dispute after the seller was paid", () => {
  test("is not kept from another sale while the bank decides", async ({ shop, sales }) => {
    const { first, second } = sales;
    expect(await moneyOf(shop, first)).toEqual({ transferred: price, owed: price });
    await handOver(second);
    await wait(shop, 72 * hour);
    expect(await transfersOf(shop, second)).toMatchObject([{ state: "made", cents: price }]);
    await reportDispute(shop, first, { state: "won", movements: [-price, price] });
    expect(await moneyOf(shop, first)).toEqual({ transferred: price });
  });

  test("that is won once another sale has paid the debt is told to admins, once", async ({
    shop,
    admin,
    seller,
    sales: { first, second },
  }) => {
    await reportDispute(shop, first, { state: "lost", movements: [-price] });
    await handOver(second);
    await wait(shop, 72 * hour);
    expect(await transfersOf(shop, second)).toEqual([]);
    expect(await emailsTo(shop, seller)).toContainEqual(
      expect.objectContaining({ subject: "Your $640 covered what you owed us" }),
    );
    const alarms = async () =>
      (await emailsTo(shop, admin)).filter(({ text }) =>
        text.includes(`/dashboard/deal/${first.booking}`),
      );
    expect(await alarms()).toEqual([]);
    await reportDispute(shop, first, { state: "won", movements: [-price, price] });
    expect(await moneyOf(shop, first)).toEqual({ held: price });
    for (let again = 0; again < 2; again += 1) await wait(shop, 1);
    expect(await alarms()).toMatchObject([
      { subject: "$640 came back to a sale that was settled" },
    ]);
  });
});

describe("of a payment that the bank gave back after the handover, the settlement", () => {
  test("ends, although its seller has no account", async ({ shop, cards, deal }) => {
    await payAndDispute(cards, deal);
    await handOver(deal);
    await wait(shop, 10 * day);
    await cards.answerDispute(deal.intent, "losing_evidence");
    await settleIntent(shop.deps, deal.intent);
    await wait(shop, 1);
    expect(await settlementOf(shop, deal)).toMatchObject({ state: "refunded" });
  });

  test("ends also while its money waits for an account", async ({ shop, deal, pay }) => {
    await pay(deal);
    await handOver(deal);
    await wait(shop, 72 * hour);
    expect(await settlementOf(shop, deal)).toMatchObject({ state: "releasing" });
    await reportDispute(shop, deal, { state: "lost", movements: [-price] });
    expect(await settlementOf(shop, deal)).toMatchObject({ state: "refunded" });
    expect(await moneyOf(shop, deal)).toEqual({});
  });

  test("ends when the transfer that was under way is refused", async ({
    shop,
    cards,
    seller,
    deal,
    pay,
  }) => {
    await connectBank(cards, seller);
    await pay(deal);
    await handOver(deal);
    await cards.injectFaults({
      failNext: { method: "POST", path: "/v1/transfers", status: "hangup", times: 2 },
    });
    await wait(shop, 72 * hour);
    await reportDispute(shop, deal, { state: "lost", movements: [-price] });
    expect(await settlementOf(shop, deal)).toMatchObject({ state: "releasing" });
    await cards.setCapabilities(await accountOf(shop, seller), { stripe_transfers: "rejected" });
    await lookUpTransfer(shop.deps, (await transfersOf(shop, deal))[0]?.id ?? "");
    expect(await transfersOf(shop, deal)).toMatchObject([{ state: "refused" }]);
    expect(await settlementOf(shop, deal)).toMatchObject({ state: "refunded" });
    expect(await moneyOf(shop, deal)).toEqual({});
  });

  test("releases the rest", async ({ shop, cards, seller, deal }) => {
    await connectBank(cards, seller);
    await payAndDispute(cards, deal, "pm_card_createPartialDispute");
    await handOver(deal);
    await wait(shop, 10 * day);
    await cards.answerDispute(deal.intent, "losing_evidence");
    await settleIntent(shop.deps, deal.intent);
    await wait(shop, 1);
    expect(await settlementOf(shop, deal)).toMatchObject({ state: "released" });
    expect(await moneyOf(shop, deal)).toEqual({ transferred: 48_000 });
  });
});
