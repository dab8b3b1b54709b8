import { describe, expect } from "vitest";
import { deleteUser } from "#contract/members.ts";
import { listSales, readStatement } from "#contract/payouts.ts";
import { listSellerProducts } from "#contract/products.ts";
import { settleRefund } from "#contract/refunds.ts";
import { transact } from "../../db/database.ts";
import type { CardProvider } from "../../testing/cards.ts";
import type { Sale } from "../../testing/deal.ts";
import { deal } from "../../testing/deal.ts";
import { dealTest, withoutWebhooks } from "../../testing/fixtures.ts";
import { emailsTo } from "../../testing/inbox.ts";
import { errorOf, type Person } from "../../testing/people.ts";
import { connectBank, day, earnedBy, hour, wait } from "../../testing/settlements.ts";
import type { Shop } from "../../testing/shop.ts";
import { reduceEarned } from "./refunded-amounts.ts";
import { settleDeals } from "./settle-deals.ts";

const test = dealTest({ webhooks: false });

/** Makes a $640 sale of which an admin awards the buyer $100. The seller has no account yet. */
async function decidedSale(shop: Shop, admin: Person): Promise<Sale> {
  const sale = await deal(shop, "complained");
  await sale.decide(admin, 100);
  return sale;
}

/** Makes a `decidedSale` whose refund was made and then returned by the buyer's bank. */
async function sentBackSale(shop: Shop, admin: Person): Promise<Sale> {
  const sale = await decidedSale(shop, admin);
  await wait(shop, 1);
  await sale.returnRefund();
  await sale.refresh();
  return sale;
}

const price = 64_000;
const part = 10_000;
const rest = 54_000;

const unsentPart = async (admin: Person, sale: Sale) => (await sale.payment(admin))?.unsentPart;

const asked = async (shop: Shop, who: Person, subject: string) =>
  (await emailsTo(shop, who)).filter((one) => one.subject === subject).length;

describe("a partial refund that the buyer's bank returns while the seller's share waits for an account", () => {
  test("a partial refund that the bank returns stays owed, blocks the buyer's deletion, and is retried after an hour", async ({
    shop,
    admin,
  }) => {
    const sale = await sentBackSale(shop, admin);
    expect(await sale.settlement()).toMatchObject({ state: "releasing" });
    const remove = admin.call(deleteUser, { params: { id: sale.buyer.id } });
    expect(await errorOf(remove)).toMatchObject({ status: 409, code: "IN_USE" });
    await connectBank(shop.cards, sale.seller);
    await wait(shop, 1);
    expect(await sale.transfers()).toMatchObject([{ state: "made", cents: rest }]);
    expect(await sale.money()).toEqual({ held: part, transferred: rest });
    await wait(shop, hour, 1);
    expect(await sale.money()).toEqual({ refunded: part, transferred: rest });
  });

  test("a partial refund that fails three times is handed to an admin, who sends it by other means", async ({
    shop,
    admin,
  }) => {
    const sale = await sentBackSale(shop, admin);
    for (const minutes of [hour, day]) {
      expect(await unsentPart(admin, sale)).toBeNull();
      await wait(shop, minutes);
      await sale.returnRefund();
      await sale.refresh();
    }
    await wait(shop, 30 * day);
    expect(await unsentPart(admin, sale)).toBe(100);
    expect(await asked(shop, sale.buyer, "We couldn't refund $100 to your card")).toBe(1);
    const [payment] = await sale.payments();
    const body = { paymentId: payment?.id ?? "" };
    await admin.call(settleRefund, { body });
    expect(await errorOf(admin.call(settleRefund, { body }))).toMatchObject({ code: "STALE" });
    expect(await unsentPart(admin, sale)).toBeNull();
    expect(await sale.money()).toEqual({ held: rest, refunded: part });
  });

  test("a returned partial refund is no longer owed after an admin repeats it at the provider", async ({
    shop,
    admin,
  }) => {
    const sale = await sentBackSale(shop, admin);
    await shop.cards.refund(sale.intent, part);
    await connectBank(shop.cards, sale.seller);
    await wait(shop, 2 * day);
    expect(await sale.money()).toEqual({ refunded: part, transferred: rest });
  });
});

test("a partial refund that the provider rejects is tried three times, and once more when an admin retries it", async ({
  shop,
  admin,
}) => {
  const sale = await decidedSale(shop, admin);
  await connectBank(shop.cards, sale.seller);
  await shop.cards.injectFaults({
    failNext: { method: "POST", path: "/v1/refunds", status: 400, times: 3 },
    ...withoutWebhooks,
  });
  await wait(shop, 1, hour, day, 30 * day);
  const attempts = async () =>
    (await sale.refunds()).map(({ state, refusal }) => ({ state, refusal }));
  const refused = { state: "refused", refusal: "other" };
  expect(await attempts()).toEqual([refused, refused, refused]);
  // The seller's money doesn't wait for the buyer's refund.
  expect(await sale.settlement()).toMatchObject({ state: "released" });
  expect(await unsentPart(admin, sale)).toBe(100);
  await sale.refund(admin);
  await wait(shop, 1);
  expect(await sale.money()).toEqual({ refunded: part, transferred: rest });
  expect(await unsentPart(admin, sale)).toBeNull();
});

test("if a lost dispute covers part of a refund whose request never arrived, an admin sends the rest by other means", async ({
  shop,
  admin,
}) => {
  const sale = await decidedSale(shop, admin);
  const lost = { method: "POST", path: "/v1/refunds", status: "hangup", times: 2 };
  await shop.cards.injectFaults({ failNext: lost, ...withoutWebhooks });
  await wait(shop, 1);
  const { findIntent } = shop.deps.cards;
  const one = { id: `du_${sale.booking}`, reason: "fraudulent", amountCents: 4_000 };
  const at = { respondBy: null, openedAt: shop.clock.now() };
  const dispute = { ...one, ...at, state: "lost" as const, movements: [-4_000] };
  // The bank gives the buyer $40, which is less than the partial refund.
  const withDispute = async (id: string) => ({ ...(await findIntent(id)), disputes: [dispute] });
  const deps = { ...shop.deps, cards: { ...shop.deps.cards, findIntent: withDispute } };
  for (const minutes of [2, 11]) {
    shop.clock.advance(minutes);
    await settleDeals(deps);
  }
  expect(await unsentPart(admin, sale)).toBe(60);
  expect(await sale.money()).toEqual({ held: price - 4_000 });
  await sale.sendAnotherWay(admin);
  expect(await sale.money()).toEqual({ held: rest, refunded: part - 4_000 });
});

test("a partial refund whose first request was wrongly given up as lost is not sent twice", async ({
  shop,
  admin,
}) => {
  const sale = await decidedSale(shop, admin);
  await shop.cards.injectFaults({
    failNext: { method: "POST", path: "/v1/refunds", status: "hangup", afterWork: true, times: 9 },
    ...withoutWebhooks,
  });
  await wait(shop, 2);
  await shop.cards.injectFaults(withoutWebhooks);
  await shop.deps.db
    .updateTable("money_moves")
    .set({ state: "refused", refusal: "absent" })
    .where("booking_id", "=", sale.booking)
    .where("state", "=", "intended")
    .execute();
  await wait(shop, 1 * day, 1 * day);
  const { refunds } = await shop.cards.ledger();
  expect(refunds.filter((one) => one.payment_intent === sale.intent)).toHaveLength(1);
  expect(await sale.settlement()).toMatchObject({ state: "releasing" });
});

describe("a partial refund made at the provider before the shop requests it", () => {
  const refundsOf = async (cards: CardProvider, intent: string) => {
    const { refunds } = await cards.ledger();
    return refunds.filter((one) => one.payment_intent === intent).map(({ amount }) => amount);
  };

  for (const [when, minutes] of [
    ["a minute later", 1],
    ["20 minutes later", 20],
  ] as const)
    test(`the shop doesn't repeat a partial refund that was made at the provider (checked ${when})`, async ({
      shop,
      admin,
    }) => {
      const sale = await decidedSale(shop, admin);
      await shop.cards.refund(sale.intent, part);
      for (const later of [minutes, 20, day]) await wait(shop, later);
      expect(await refundsOf(shop.cards, sale.intent)).toEqual([part]);
      expect(await sale.settlement()).toMatchObject({ state: "releasing" });
      expect(await sale.money()).toEqual({ held: rest, refunded: part });
    });

  test("after a smaller refund made at the provider, the shop requests only the amount still owed", async ({
    shop,
    admin,
  }) => {
    const sale = await decidedSale(shop, admin);
    await connectBank(shop.cards, sale.seller);
    await shop.cards.refund(sale.intent, 4_000);
    for (const later of [1, 20, 1]) await wait(shop, later);
    expect((await refundsOf(shop.cards, sale.intent)).toSorted()).toEqual([4_000, 6_000]);
    expect(await sale.money()).toEqual({ refunded: part, transferred: rest });
  });
});

async function shownParts(admin: Person, sale: Sale) {
  const { email } = sale.seller;
  const [product] = await sale.seller.call(listSellerProducts, { params: { email } });
  const year = (await sale.settlement()).paid_at.getUTCFullYear();
  const [sold] = await sale.seller.call(readStatement, { query: { year } });
  const seen = [await sale.order(), product?.deal, sold, await sale.payment(admin)];
  return seen.map((one) => one?.partRefund);
}

const everywhere = <P>(partRefund: P) => Array.from({ length: 4 }, () => partRefund);

test("buyer, seller and admin see whether a partial refund is on its way, made or failed", async ({
  shop,
  admin,
}) => {
  const sale = await deal(shop, "complained", { feePercent: 10 });
  expect(await shownParts(admin, sale)).toEqual(everywhere(null));
  await sale.decide(admin, 100);
  const onItsWay = { refunded: 0, owed: 100, failed: false };
  expect(await shownParts(admin, sale)).toEqual(everywhere(onItsWay));
  expect(await sale.seller.call(listSales, {})).toMatchObject([{ state: "releasing", fee: 54 }]);
  await wait(shop, 1);
  const refunded = { refunded: 100, owed: 0, failed: false };
  expect(await shownParts(admin, sale)).toEqual(everywhere(refunded));
  expect(await sale.seller.call(listSales, {})).toMatchObject([{ refunded: 100, fee: 54 }]);
  // The bank returns the refund three times.
  for (const minutes of [0, hour, day]) {
    await wait(shop, minutes);
    await sale.returnRefund();
    await sale.refresh();
  }
  expect(await shownParts(admin, sale)).toEqual(everywhere({ ...onItsWay, failed: true }));
});

test("a partial refund that an admin made at the provider is shown to buyer, seller and admin", async ({
  shop,
  admin,
}) => {
  const sale = await deal(shop, "handedOver");
  await sale.refundElsewhere(4_000);
  const refunded = { refunded: 40, owed: 0, failed: false };
  expect(await shownParts(admin, sale)).toEqual(everywhere(refunded));
});

test("a seller's earnings never fall below zero", async ({ shop }) => {
  const sale = await deal(shop, "handedOver");
  expect(await earnedBy(sale.seller)).toBe(640);
  for (const earned of [40, 0, 0]) {
    await transact(shop.deps.db, "test", (tx) => reduceEarned(tx, sale.booking, 60_000));
    expect(await earnedBy(sale.seller)).toBe(earned);
  }
});
