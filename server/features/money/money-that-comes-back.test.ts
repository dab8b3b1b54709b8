import { describe, expect } from "vitest";
import { readNeedsYou } from "#contract/needs-you.ts";
import { listSales } from "#contract/payouts.ts";
import type { Sale } from "../../testing/deal.ts";
import { deal } from "../../testing/deal.ts";
import { dealTest } from "../../testing/fixtures.ts";
import { emailsTo } from "../../testing/inbox.ts";
import { errorOf, type Person } from "../../testing/people.ts";
import { balance } from "../../testing/rewards.ts";
import { day, earnedBy, hour, wait } from "../../testing/settlements.ts";
import type { Shop } from "../../testing/shop.ts";

const price = 64_000;
const part = 10_000;
const rest = 54_000;

const test = dealTest({ webhooks: false })
  /** A sale with a $100 refund that the bank returned. The shop hasn't been notified yet. */
  .extend("sentBack", async ({ shop }) => {
    const sale = await deal(shop, "handedOver", { bank: true });
    await sale.refundElsewhere(part);
    await sale.returnRefund();
    return sale;
  });

/** Makes a sale whose seller owes nothing. An admin takes $100 back at the provider. */
async function takenBack(shop: Shop): Promise<Sale> {
  const sale = await deal(shop, "released");
  await sale.takeBack(part);
  return sale;
}

async function setAccount({ shop, seller }: Sale, transfers_active: boolean): Promise<void> {
  await shop.deps.db
    .updateTable("payout_accounts")
    .set({ transfers_active })
    .where("member_id", "=", seller.id)
    .execute();
}

async function reasonsOf({ booking }: Sale, admin: Person) {
  const { items } = await admin.call(readNeedsYou, {});
  return items.flatMap(({ bookingId, reason }) => (bookingId === booking ? [reason] : []));
}

describe("a partial refund made at the provider, which the bank returns", () => {
  test("if the bank returns a refund made at the provider, the shop repeats the refund", async ({
    shop,
    sentBack: sale,
  }) => {
    for (let again = 0; again < 2; again += 1) await sale.refresh();
    expect(await sale.money()).toEqual({ held: price });
    await wait(shop, hour);
    expect(await sale.money()).toEqual({ held: rest, refunded: part });
    await wait(shop, 72 * hour);
    expect(await sale.money()).toEqual({ refunded: part, transferred: rest });
    expect(await sale.refunds()).toMatchObject([
      { state: "failed", cents: part },
      { state: "made", cents: part },
    ]);
  });

  test("the shop doesn't repeat a returned refund that an admin already repeated at the provider", async ({
    shop,
    sentBack: sale,
  }) => {
    await sale.refundElsewhere(part);
    await wait(shop, 72 * hour);
    expect((await sale.refunds()).map(({ state }) => state)).toEqual(["failed", "made"]);
    expect(await sale.money()).toEqual({ refunded: part, transferred: rest });
  });

  test("a returned refund is owed to the buyer in full, even if a smaller, later refund is returned before it", async ({
    shop,
  }) => {
    const sale = await deal(shop, "handedOver", { bank: true });
    await sale.refundElsewhere(part);
    const [first] = await sale.refunds();
    await shop.cards.refund(sale.intent, 3_000);
    await sale.returnRefund();
    await shop.cards.failRefund(first?.provider_id ?? "");
    await sale.refresh();
    await wait(shop, 72 * hour);
    expect(await sale.money()).toEqual({ refunded: part, transferred: rest });
  });

  test("the shop doesn't repeat a refund that an admin already repeated, even after a smaller refund failed", async ({
    shop,
    sentBack: sale,
  }) => {
    await sale.refresh();
    await shop.cards.refund(sale.intent, 3_000);
    await sale.returnRefund();
    await sale.refundElsewhere(part);
    await wait(shop, 72 * hour);
    expect(await sale.money()).toEqual({ refunded: part, transferred: rest });
  });

  test("if an admin grants a complaint in full, one refund also covers an earlier refund that the bank returned", async ({
    shop,
    admin,
    sentBack: sale,
  }) => {
    await sale.refresh();
    await sale.complain();
    await sale.decide(admin, 640);
    await wait(shop, hour, 2 * day);
    expect(await sale.settlement()).toMatchObject({ state: "refunded" });
    expect(await sale.money()).toEqual({ refunded: price });
    expect(await sale.refunds()).toMatchObject([{ state: "failed" }, { cents: price }]);
  });
});

describe("money that was taken back from a seller who owes nothing", () => {
  test("money that was wrongly taken from a seller can be sent, only once, to either the seller or the buyer", async ({
    shop,
    admin,
  }) => {
    const sale = await takenBack(shop);
    const send = (amount: number) => errorOf(sale.sendLeftover(admin, "seller", amount));
    expect(await sale.record(admin)).toMatchObject({
      leftover: 100,
      leftoverToBuyer: 100,
      reversals: [{ amount: 100, state: "made", by: "dashboard" }],
    });
    expect(await send(640)).toMatchObject({ code: "STALE" });
    await sale.sendLeftover(admin, "seller", 100);
    expect(await send(100)).toMatchObject({ code: "STALE" });
    expect(await sale.settlement()).toMatchObject({ state: "releasing" });
    await wait(shop, 1);
    // Another payment provides the available balance that a transfer of leftover money needs.
    await deal(shop, "charged");
    await shop.cards.advanceClock(3);
    await wait(shop, 1 * day, 1 * day);
    expect(await sale.settlement()).toMatchObject({ state: "released" });
    expect(await sale.money()).toEqual({ transferred: price });
    expect(await sale.transfers()).toMatchObject([
      { state: "made", cents: price, reversed_cents: part },
      { state: "refused", refusal: "balance_insufficient" },
      { state: "made", cents: part },
    ]);
    expect(await sale.seller.call(listSales, {})).toMatchObject([
      { fee: 0, sent: 640, state: "released" },
    ]);
    expect(await sale.record(admin)).toMatchObject({ leftover: 0 });

    await sale.takeBack(part);
    expect(await earnedBy(sale.seller)).toBe(640);
    const refund = () => sale.sendLeftover(admin, "buyer", 100);
    await refund();
    expect(await earnedBy(sale.seller)).toBe(540);
    expect(await errorOf(refund())).toMatchObject({ code: "STALE" });
    await wait(shop, 1 * day, 1 * day);
    expect(await sale.money()).toEqual({ transferred: rest, refunded: part });
    expect(await sale.settlement()).toMatchObject({ state: "released" });
  });

  test("once a seller's account is closed, money taken back from them can be sent only to the buyer, with a reason", async ({
    shop,
    admin,
  }) => {
    const sale = await takenBack(shop);
    const send = (to: "buyer" | "seller") => sale.sendLeftover(admin, to, 100);
    await setAccount(sale, false);
    expect(await errorOf(send("seller"))).toMatchObject({ code: "STALE" });
    expect(await sale.settlement()).toMatchObject({ state: "released", round: 1 });
    await setAccount(sale, true);
    await send("seller");
    expect(await sale.record(admin)).toMatchObject({ leftover: 0 });
    await setAccount(sale, false);
    await wait(shop, 1);
    const stuck = { leftover: 100, leftoverToBuyer: 100, leftoverWaits: true };
    expect(await sale.record(admin)).toMatchObject(stuck);
    expect(await reasonsOf(sale, admin)).toEqual(["unclaimed"]);
    expect(await errorOf(send("seller"))).toMatchObject({ code: "STALE" });
    expect(await errorOf(send("buyer"))).toMatchObject({ code: "INVALID_INPUT" });
    await sale.sendLeftover(admin, "buyer", 100, "Your account is closed.");
    await wait(shop, 1 * day, 1 * day);
    expect(await sale.money()).toEqual({ transferred: rest, refunded: part });
    expect(await sale.settlement()).toMatchObject({ state: "released", round: 2 });
    expect(await earnedBy(sale.seller)).toBe(540);
    expect(await reasonsOf(sale, admin)).toEqual([]);
  });

  test("leftover money goes back the way the buyer paid: card money to the card, credit as credit", async ({
    shop,
    admin,
  }) => {
    const sale = await deal(shop, "handedOver", { credit: 30, bank: true });
    const { seller, buyer } = sale;
    // Another payment provides the balance that pays for the part of the price covered by credit.
    await deal(shop, "charged");
    await shop.cards.advanceClock(3);
    await wait(shop, 72 * hour);
    await sale.takeBack(price);
    expect(await sale.record(admin)).toMatchObject({ leftover: 640, leftoverToBuyer: 610 });
    expect(await reasonsOf(sale, admin)).toEqual(["came_back"]);
    await sale.sendLeftover(admin, "buyer", 640);
    await wait(shop, 1 * day);
    expect(await sale.money()).toEqual({ refunded: 61_000 });
    expect(await sale.settlement()).toMatchObject({ state: "refunded" });
    expect(await balance(buyer)).toBe(30);
    expect(await earnedBy(seller)).toBe(0);
    const told = (await emailsTo(shop, buyer)).find(
      ({ subject }) => subject === "You get $610 back",
    );
    expect(told?.text).toContain("The $30 of credit that you used is yours to spend again");
  });

  test("if the seller's whole share goes back to the buyer, the seller earns nothing, even if the shop keeps the fee", async ({
    shop,
    admin,
  }) => {
    const sale = await deal(shop, "handedOver", { bank: true, feePercent: 5 });
    expect(await earnedBy(sale.seller)).toBe(608);
    await wait(shop, 72 * hour);
    expect(await earnedBy(sale.seller)).toBe(608);
    await sale.takeBack(60_800);
    await sale.sendLeftover(admin, "buyer", 608);
    expect(await earnedBy(sale.seller)).toBe(0);
  });
});
