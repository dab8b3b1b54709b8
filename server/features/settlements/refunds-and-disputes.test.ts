import { describe, expect } from "vitest";
import { complain, decideComplaint } from "#contract/complaints.ts";
import { listSales } from "#contract/payouts.ts";
import type { CardProvider } from "../../testing/cards.ts";
import { reportDispute } from "../../testing/disputes.ts";
import { dealTest } from "../../testing/fixtures.ts";
import type { Deal } from "../../testing/marketplace.ts";
import { connectBank, handOver, hour, moneyOf, wait } from "../../testing/settlements.ts";
import type { Shop } from "../../testing/shop.ts";
import { owedToBuyer } from "../booking-lifecycle/owed-to-buyer.ts";
import { settleIntent } from "../payments/webhook.ts";

const price = 64_000;
const part = 10_000;
const rest = 54_000;

const test = dealTest().extend("handedOver", async ({ cards, seller, deal, pay, holdWebhooks }) => {
  await holdWebhooks();
  await connectBank(cards, seller);
  await pay(deal);
  await handOver(deal);
  return deal;
});

/** An admin refunds $100 in the provider's dashboard. */
async function refunded({ deps }: Shop, cards: CardProvider, { intent }: Deal): Promise<void> {
  await cards.refund(intent, part);
  await settleIntent(deps, intent);
}

/** The bank sends the newest refund back. */
async function failNewest({ deps }: Shop, cards: CardProvider, { intent }: Deal): Promise<void> {
  const { refunds } = await deps.cards.findIntent(intent);
  await cards.failRefund(refunds[0]?.id ?? "");
}

async function failed(shop: Shop, cards: CardProvider, deal: Deal): Promise<void> {
  await failNewest(shop, cards, deal);
  await settleIntent(shop.deps, deal.intent);
}

async function disputed({ deps }: Shop, cards: CardProvider, { intent }: Deal): Promise<void> {
  await cards.openDispute(intent, rest);
  await settleIntent(deps, intent);
}

async function lost({ deps }: Shop, cards: CardProvider, { intent }: Deal): Promise<void> {
  await cards.answerDispute(intent, "losing_evidence");
  await settleIntent(deps, intent);
}

async function owed({ deps }: Shop, { booking }: Deal): Promise<number> {
  return await owedToBuyer(deps.db, booking);
}

describe("a refund of the dashboard that the bank sends back, and a dispute that the shop wins, leave", () => {
  const reported = async (shop: Shop, deal: Deal, { cents, times }: Record<string, number>) => {
    for (let again = 0; again < (times ?? 1); again += 1)
      await reportDispute(shop, deal, { state: "open", movements: [-(cents ?? 0)] });
  };
  const win = async (shop: Shop, deal: Deal, cents: number) => {
    for (let again = 0; again < 2; again += 1)
      await reportDispute(shop, deal, { state: "won", movements: [-cents, cents] });
  };

  test("the refund owed, if it fails while the bank decides", async ({
    shop,
    cards,
    handedOver: deal,
  }) => {
    await cards.refund(deal.intent, part);
    await settleIntent(shop.deps, deal.intent);
    await reported(shop, deal, { cents: rest });
    await failNewest(shop, cards, deal);
    await reported(shop, deal, { cents: rest, times: 2 });
    expect(await owed(shop, deal)).toBe(part);
    await wait(shop, 2 * hour);
    await win(shop, deal, rest);
    expect(await owed(shop, deal)).toBe(part);
    for (const minutes of [1, 72 * hour]) await wait(shop, minutes);
    expect(await moneyOf(shop, deal)).toEqual({ refunded: part, transferred: rest });
  });

  for (const times of [1, 2])
    test(`nothing owed, if another refund has replaced it: the dispute is reported ${times} times`, async ({
      shop,
      cards,
      handedOver: deal,
    }) => {
      await refunded(shop, cards, deal);
      await failNewest(shop, cards, deal);
      await cards.refund(deal.intent, part);
      await settleIntent(shop.deps, deal.intent);
      await reported(shop, deal, { cents: rest, times });
      await win(shop, deal, rest);
      expect(await owed(shop, deal)).toBe(0);
      await wait(shop, 72 * hour);
      expect(await moneyOf(shop, deal)).toEqual({ refunded: part, transferred: rest });
    });

  test("nothing owed, if the shop heard of the refund only with its failure", async ({
    shop,
    cards,
    handedOver: deal,
  }) => {
    await cards.refund(deal.intent, part);
    await failNewest(shop, cards, deal);
    await settleIntent(shop.deps, deal.intent);
    await reported(shop, deal, { cents: price, times: 2 });
    await win(shop, deal, price);
    expect(await owed(shop, deal)).toBe(0);
    await wait(shop, 72 * hour);
    expect(await moneyOf(shop, deal)).toEqual({ transferred: price });
  });
});

describe("a refund of the dashboard that the bank sends back, and a dispute about the rest that is lost, leave", () => {
  for (const [order, steps] of [
    ["fails before the bank decides", [refunded, disputed, failed, lost]],
    ["fails after the bank has decided", [refunded, disputed, lost, failed]],
  ] as const)
    test(`the refund owed, if it ${order}, also when the shop wins after all`, async ({
      shop,
      cards,
      handedOver: deal,
    }) => {
      for (const step of steps) await step(shop, cards, deal);
      expect(await owed(shop, deal)).toBe(part);
      await cards.flipDispute(deal.intent);
      await settleIntent(shop.deps, deal.intent);
      expect(await owed(shop, deal)).toBe(part);
      for (const minutes of [hour, 72 * hour]) await wait(shop, minutes);
      expect(await moneyOf(shop, deal)).toEqual({ refunded: part, transferred: rest });
    });

  test("nothing owed, if it failed before the buyer disputed: until the shop wins", async ({
    shop,
    cards,
    seller,
    handedOver: deal,
  }) => {
    for (const step of [refunded, failed, disputed, lost]) await step(shop, cards, deal);
    expect(await owed(shop, deal)).toBe(0);
    const [sale] = await seller.call(listSales, {});
    expect(sale).toMatchObject({ disputed: false, lost: rest / 100, refunded: 0 });
    await cards.flipDispute(deal.intent);
    await settleIntent(shop.deps, deal.intent);
    expect(await owed(shop, deal)).toBe(part);
  });

  test("nothing owed on top, if the shop hears of the dispute only once it is lost", async ({
    shop,
    cards,
    handedOver: deal,
  }) => {
    for (const cents of [part, 2 * part]) await cards.refund(deal.intent, cents);
    await settleIntent(shop.deps, deal.intent);
    for (const { id } of (await shop.deps.cards.findIntent(deal.intent)).refunds)
      await cards.failRefund(id);
    await settleIntent(shop.deps, deal.intent);
    expect(await owed(shop, deal)).toBe(3 * part);
    await cards.openDispute(deal.intent, rest);
    await lost(shop, cards, deal);
    expect(await owed(shop, deal)).toBe(0);
  });

  test("no more than the buyer paid owed, if they disputed all of it", async ({
    shop,
    cards,
    handedOver: deal,
  }) => {
    await refunded(shop, cards, deal);
    await cards.openDispute(deal.intent, price);
    await settleIntent(shop.deps, deal.intent);
    await failed(shop, cards, deal);
    await lost(shop, cards, deal);
    expect(await owed(shop, deal)).toBe(0);
  });

  test("what a complaint has given the buyer beside it owed, and no more", async ({
    shop,
    cards,
    admin,
    handedOver: deal,
  }) => {
    const { booking: bookingId, buyer } = deal;
    const body = { bookingId, reason: "not_working" as const, words: "Dead keys." };
    await buyer.call(complain, { body });
    for (const step of [disputed, lost]) await step(shop, cards, deal);
    const decision = { refund: 50, words: "A part of what is left." };
    await admin.call(decideComplaint, { params: { id: bookingId }, body: decision });
    await cards.flipDispute(deal.intent);
    await settleIntent(shop.deps, deal.intent);
    expect(await owed(shop, deal)).toBe(5_000);
    for (const minutes of [hour, 72 * hour]) await wait(shop, minutes);
    expect(await moneyOf(shop, deal)).toEqual({ refunded: 5_000, transferred: price - 5_000 });
  });
});

describe("a part of a complaint that the bank sends back, and a refund of the dashboard beside it", () => {
  test("are both the buyer's", async ({ shop, cards, admin, handedOver: deal }) => {
    const { booking: bookingId, buyer, intent } = deal;
    const body = { bookingId, reason: "not_working" as const, words: "Dead keys." };
    await buyer.call(complain, { body });
    const decision = { refund: 100, words: "A part." };
    await admin.call(decideComplaint, { params: { id: bookingId }, body: decision });
    await wait(shop, 1);
    const { refunds } = await shop.deps.cards.findIntent(intent);
    await cards.refund(intent, 5_000);
    await settleIntent(shop.deps, intent);
    await cards.failRefund(refunds[0]?.id ?? "");
    await settleIntent(shop.deps, intent);
    expect(await owedToBuyer(shop.deps.db, bookingId)).toBe(part);
  });
});
