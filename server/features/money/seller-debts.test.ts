import { describe, expect } from "vitest";
import { readNeedsYou } from "#contract/needs-you.ts";
import { listSales } from "#contract/payouts.ts";
import { emailsTo } from "../../testing/booking-emails.ts";
import { deal, disputing } from "../../testing/deal.ts";
import { dealTest } from "../../testing/fixtures.ts";
import type { Sale } from "../../testing/sale.ts";
import { accountOf, day, hour, wait } from "../../testing/settlements.ts";
import type { Shop } from "../../testing/shop.ts";
import { recordReversals } from "./record-reversals.ts";

/** By the same seller. The first was paid out. */
async function twoSales(shop: Shop): Promise<[Sale, Sale]> {
  const first = await deal(shop, "held", { bank: true });
  const second = await deal(shop, "paid", { seller: first.seller });
  await first.pay();
  await first.handOver();
  await wait(shop, 72 * hour);
  return [first, second];
}

const test = dealTest()
  /** The first sale is disputed after its payout. */
  .extend("sales", async ({ shop }) => {
    const [first, second] = await twoSales(shop);
    await first.reportDispute({ state: "open", movements: [-price] });
    return { first, second };
  });
const price = 64_000;

describe("money refunded after the seller was paid", () => {
  test("a refund after the payout is owed by the seller, and withheld from their next sale", async ({
    shop,
  }) => {
    const [first, second] = await twoSales(shop);
    await first.refundElsewhere(10_000);
    expect(await first.money()).toEqual({
      transferred: price,
      refunded: 10_000,
      owed: 10_000,
    });
    await second.handOver();
    await wait(shop, 72 * hour);
    expect(await second.transfers()).toMatchObject([{ state: "made", cents: 54_000 }]);
    expect(await first.money()).toEqual({ transferred: 54_000, refunded: 10_000 });
    expect(await second.money()).toEqual({ transferred: price });
    const [sale] = await first.seller.call(listSales, {});
    expect([640, 540]).toContain(sale?.sent);
  });

  test("a seller's debt ends when the transfer is reversed at the provider", async ({ shop }) => {
    const sale = await deal(shop, "released");
    await sale.refundElsewhere();
    expect(await sale.money()).toMatchObject({ owed: price });
    const [transfer] = await sale.transfers();
    await shop.deps.cards.reverseTransfer({
      transferId: transfer?.provider_id ?? "",
      amountCents: price,
      metadata: {},
      idempotencyKey: `reversal:${sale.booking}:1`,
    });
    for (let again = 0; again < 2; again += 1) await recordReversals(shop.deps, sale.booking);
    expect(await sale.money()).toEqual({ refunded: price });
    expect(await sale.transfers()).toMatchObject([{ state: "made", reversed_cents: price }]);
  });
});

describe("a dispute after the seller was paid", () => {
  test("money disputed after the payout is not withheld from another sale while the bank is deciding", async ({
    shop,
    sales,
  }) => {
    const { first, second } = sales;
    expect(await first.money()).toEqual({ transferred: price, owed: price });
    await second.handOver();
    await wait(shop, 72 * hour);
    expect(await second.transfers()).toMatchObject([{ state: "made", cents: price }]);
    await first.reportDispute({ state: "won", movements: [-price, price] });
    expect(await first.money()).toEqual({ transferred: price });
  });

  test("if a dispute is won after another sale has paid the debt, an admin has to forward the money", async ({
    shop,
    admin,
    sales: { first, second },
  }) => {
    await first.reportDispute({ state: "lost", movements: [-price] });
    await second.handOver();
    await wait(shop, 72 * hour);
    expect(await second.transfers()).toEqual([]);
    expect(await emailsTo(shop, first.seller)).toContainEqual(
      expect.objectContaining({ subject: "Your $640 covered what you owed us" }),
    );
    const items = async () =>
      (await admin.call(readNeedsYou, {})).items.filter(
        ({ bookingId }) => bookingId === first.booking,
      );
    expect(await items()).toEqual([]);
    await first.reportDispute({ state: "won", movements: [-price, price] });
    expect(await first.money()).toEqual({ held: price });
    expect(await items()).toMatchObject([{ reason: "came_back", amount: 640 }]);
  });
});

describe("a deal whose payment the bank returns after the handover", () => {
  test("a dispute lost during the complaint window ends the deal, even if the seller has no account", async ({
    shop,
  }) => {
    const sale = await deal(shop, "handedOver", { paidBy: disputing });
    await wait(shop, 10 * day);
    await sale.decideDispute("losing_evidence");
    await wait(shop, 1);
    expect(await sale.settlement()).toMatchObject({ state: "refunded" });
  });

  test("a dispute lost while the money waits for the seller's account ends the deal", async ({
    shop,
  }) => {
    const sale = await deal(shop, "handedOver");
    await wait(shop, 72 * hour);
    expect(await sale.settlement()).toMatchObject({ state: "releasing" });
    await sale.reportDispute({ state: "lost", movements: [-price] });
    expect(await sale.settlement()).toMatchObject({ state: "refunded" });
    expect(await sale.money()).toEqual({});
  });

  test("a dispute that is lost during a transfer ends the deal after the transfer is refused", async ({
    shop,
  }) => {
    const sale = await deal(shop, "handedOver", { bank: true });
    await shop.cards.injectFaults({
      failNext: { method: "POST", path: "/v1/transfers", status: "hangup", times: 2 },
    });
    await wait(shop, 72 * hour);
    await sale.reportDispute({ state: "lost", movements: [-price] });
    expect(await sale.settlement()).toMatchObject({ state: "releasing" });
    await shop.cards.setCapabilities(await accountOf(shop, sale.seller), {
      stripe_transfers: "rejected",
    });
    await wait(shop, 11);
    expect(await sale.transfers()).toMatchObject([{ state: "refused", refusal: "absent" }]);
    expect(await sale.settlement()).toMatchObject({ state: "refunded" });
    expect(await sale.money()).toEqual({});
  });

  test("after a lost dispute about part of the payment, the seller gets the remaining money", async ({
    shop,
  }) => {
    const sale = await deal(shop, "handedOver", {
      bank: true,
      paidBy: "pm_card_createPartialDispute",
    });
    await wait(shop, 10 * day);
    await sale.decideDispute("losing_evidence");
    await wait(shop, 1);
    expect(await sale.settlement()).toMatchObject({ state: "released" });
    expect(await sale.money()).toEqual({ transferred: 48_000 });
  });
});
