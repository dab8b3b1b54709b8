import { describe, expect } from "vitest";
import {
  listPayouts,
  listSales,
  listStatementYears,
  readPayoutAccount,
  readStatement,
  refreshPayoutAccount,
} from "#contract/payouts.ts";
import { deal, disputing } from "../../testing/deal.ts";
import { dealTest, withoutWebhooks } from "../../testing/fixtures.ts";
import { emailsTo } from "../../testing/inbox.ts";
import type { Person } from "../../testing/people.ts";
import { accountOf, connectBank, day, hour, wait } from "../../testing/settlements.ts";
import type { Shop } from "../../testing/shop.ts";
import { countLockWaits } from "../../testing/test-connections.ts";
import { changeDeal } from "../ledger/post-journal.ts";
import { reconcileLedger } from "./reconcile-ledger.ts";
import { readSellerAccount } from "./record-payouts.ts";
import { settleDeals } from "./settle-deals.ts";

const test = dealTest();
const price = 64_000;

async function subjectsTo(shop: Shop, who: Person): Promise<string[]> {
  return (await emailsTo(shop, who)).map(({ subject }) => subject);
}

describe("the seller's money", () => {
  test("after the complaint window, the price minus the fee arrives in the seller's bank account, only once", async ({
    shop,
  }) => {
    const sale = await deal(shop, "handedOver", { bank: true, feePercent: 3 });
    expect(await sale.seller.call(listSales, {})).toMatchObject([{ price: 640, fee: 19.2 }]);
    await wait(shop, 71 * hour);
    expect(await sale.transfers()).toEqual([]);
    await wait(shop, 1 * hour, 1 * hour, 1 * hour, 1 * hour);
    expect(await sale.settlement()).toMatchObject({ state: "released" });
    expect(await sale.transfers()).toMatchObject([{ state: "made", cents: 62_080 }]);
    expect(await sale.money()).toEqual({ transferred: 62_080, fee: 1_920 });
    expect(await subjectsTo(shop, sale.seller)).toContain("Your $620.80 is on its way");
    const made = (await shop.cards.ledger()).transfers.filter(
      ({ transfer_group }) => transfer_group === `booking_${sale.booking}`,
    );
    expect(made).toMatchObject([
      { amount: 62_080, destination: await accountOf(shop, sale.seller) },
    ]);
    expect(await sale.seller.call(listSales, {})).toMatchObject([
      { _id: sale.booking, price: 640, fee: 19.2, sent: 620.8, state: "released" },
    ]);
    await shop.cards.advanceClock(3);
    await readSellerAccount(shop.deps, await accountOf(shop, sale.seller));
    const [payout] = await sale.seller.call(listPayouts, {});
    expect(payout).toMatchObject({ amount: 620.8 });
    expect(["pending", "in_transit"]).toContain(payout?.state);
    await shop.cards.advanceClock(3);
    await readSellerAccount(shop.deps, await accountOf(shop, sale.seller));
    const paidOut = { amount: 620.8, state: "paid" };
    expect(await sale.seller.call(listPayouts, {})).toMatchObject([paidOut]);
    await reconcileLedger(shop.deps);
    const differences = await shop.deps.db.selectFrom("ledger_differences").selectAll().execute();
    expect(differences).toEqual([]);
  });

  test("the seller's money waits until the seller's account can receive it", async ({
    shop,
    seller,
  }) => {
    const sale = await deal(shop, "handedOver", { seller });
    await wait(shop, 72 * hour);
    expect(await seller.call(readPayoutAccount, {})).toEqual({
      connected: false,
      canReceive: false,
      canPayOut: false,
      waiting: 640,
    });
    await connectBank(shop.cards, seller, { unfinished: true });
    await wait(shop, 2 * hour);
    expect(await seller.call(readPayoutAccount, {})).toMatchObject({
      connected: true,
      canReceive: false,
      waiting: 640,
    });
    expect(await sale.transfers()).toEqual([]);
    await connectBank(shop.cards, seller);
    await settleDeals(shop.deps);
    expect(await sale.settlement()).toMatchObject({ state: "released" });
    expect(await seller.call(readPayoutAccount, {})).toMatchObject({ canPayOut: true, waiting: 0 });
  });

  test("the seller is not paid while a bank is deciding a dispute, or while the seller is suspended", async ({
    shop,
  }) => {
    const sale = await deal(shop, "handedOver", { bank: true, paidBy: disputing });
    await wait(shop, 30 * day);
    expect(await sale.settlement()).toMatchObject({ state: "complaint_window" });
    await sale.decideDispute("winning_evidence");
    const suspend = (at: Date | null) =>
      shop.deps.db
        .updateTable("members")
        .set({ suspended_at: at })
        .where("id", "=", sale.seller.id)
        .execute();
    await suspend(shop.clock.now());
    await wait(shop, 1);
    expect(await sale.settlement()).toMatchObject({ state: "releasing" });
    expect(await sale.transfers()).toEqual([]);
    await suspend(null);
    await wait(shop, 1);
    expect(await sale.settlement()).toMatchObject({ state: "released" });
  });
});

describe("a transfer whose response is lost", () => {
  test("a transfer wrongly recorded as never made is found instead of being made again", async ({
    shop,
  }) => {
    const sale = await deal(shop, "handedOver", { bank: true });
    await shop.cards.injectFaults(lost(true));
    await wait(shop, 72 * hour);
    await shop.deps.db
      .updateTable("money_moves")
      .set({ state: "refused", refusal: "absent" })
      .where("booking_id", "=", sale.booking)
      .execute();
    await wait(shop, 1);
    expect(await sale.transfers()).toMatchObject([{ state: "made", attempt: 1 }]);
    expect(await sale.settlement()).toMatchObject({ state: "released" });
    expect(await sale.money()).toEqual({ transferred: price });
  });

  const lost = (afterWork: boolean, times = 2) => ({
    failNext: { method: "POST", path: "/v1/transfers", status: "hangup", afterWork, times },
  });

  test("a transfer request that never arrived is retried with the same key, or with a new key after ten minutes", async ({
    shop,
    seller,
  }) => {
    await connectBank(shop.cards, seller);
    const soon = await deal(shop, "handedOver", { seller });
    await shop.cards.injectFaults(lost(false));
    await wait(shop, 72 * hour, 2);
    expect(await soon.transfers()).toMatchObject([{ state: "made", attempt: 1 }]);
    const late = await deal(shop, "handedOver", { seller });
    await shop.cards.injectFaults(lost(false));
    await wait(shop, 72 * hour, 11, 1);
    expect(await late.transfers()).toMatchObject([
      { state: "refused", refusal: "absent" },
      { state: "made", attempt: 2 },
    ]);
    expect(await late.money()).toEqual({ transferred: price });
  });
});

test("the shop retries a refused transfer with a new key once the account can receive money", async ({
  shop,
}) => {
  await shop.cards.injectFaults(withoutWebhooks);
  const sale = await deal(shop, "handedOver", { bank: true });
  const account = await accountOf(shop, sale.seller);
  await shop.cards.setCapabilities(account, { stripe_transfers: "rejected" });
  await wait(shop, 72 * hour);
  expect(await sale.transfers()).toMatchObject([
    { state: "refused", refusal: "transfers_not_allowed" },
  ]);
  await readSellerAccount(shop.deps, account);
  await wait(shop, 2 * hour);
  expect(await sale.transfers()).toHaveLength(1);
  await shop.cards.setCapabilities(account, { stripe_transfers: "active" });
  await readSellerAccount(shop.deps, account);
  await settleDeals(shop.deps);
  const [first, second] = await sale.transfers();
  expect(second).toMatchObject({ state: "made" });
  expect(second?.id).not.toBe(first?.id);
  expect(await sale.settlement()).toMatchObject({ state: "released" });
});

test("while payouts are disabled, earnings stay in the seller's provider account", async ({
  shop,
}) => {
  const sale = await deal(shop, "held", { bank: true });
  const account = await accountOf(shop, sale.seller);
  await shop.cards.setCapabilities(account, { payouts: "restricted" });
  await sale.pay();
  await sale.handOver();
  await wait(shop, 72 * hour);
  await shop.cards.advanceClock(6);
  await readSellerAccount(shop.deps, account);
  expect(await sale.seller.call(listPayouts, {})).toEqual([]);
  const read = () => sale.seller.call(readPayoutAccount, {});
  expect(await read()).toMatchObject({ canReceive: true, canPayOut: false });
  const balance = await shop.deps.cards.readSellerBalance(account, "usd");
  expect(balance).toMatchObject({ availableCents: price });
  await shop.cards.setCapabilities(account, { payouts: "active" });
  await shop.cards.advanceClock(6);
  await readSellerAccount(shop.deps, account);
  expect(await sale.seller.call(listPayouts, {})).toMatchObject([{ amount: 640, state: "paid" }]);
  expect(await read()).toMatchObject({ canPayOut: true });
});

test("a payout that the bank returns is recorded, and the seller is asked for another bank account", async ({
  shop,
}) => {
  const sale = await deal(shop, "held");
  const { seller } = sale;
  await connectBank(shop.cards, seller, { accountNumber: "000111111116" });
  await sale.pay();
  await sale.handOver();
  await wait(shop, 72 * hour);
  await shop.cards.advanceClock(6);
  for (let again = 0; again < 2; again += 1)
    await readSellerAccount(shop.deps, await accountOf(shop, seller));
  expect(await seller.call(listPayouts, {})).toMatchObject([{ amount: 640, state: "failed" }]);
  const asked = (await subjectsTo(shop, seller)).filter(
    (one) => one === "Your bank sent back $640",
  );
  expect(asked).toHaveLength(1);
  expect(await seller.call(readPayoutAccount, {})).toMatchObject({ canPayOut: false });
});

test("a deal stays open if more money arrives while a transfer is still unconfirmed", async ({
  shop,
  buyer,
}) => {
  const sale = await deal(shop, "handedOver", { bank: true });
  const path = "/v1/transfers";
  await shop.cards.injectFaults({
    failNext: { method: "POST", path, status: "hangup", afterWork: true, times: 2 },
  });
  await wait(shop, 72 * hour);
  const subject = { bookingId: sale.booking, currency: "usd", at: shop.clock.now() };
  const added = { memberId: buyer.id, discountCents: 5_000, creditCents: 0 };
  await changeDeal(shop.deps.db, subject, (journals) => journals.contribute("late", added));
  await wait(shop, 2);
  expect(await sale.transfers()).toMatchObject([
    { state: "made", cents: price, round: 1 },
    { cents: 5_000, round: 2 },
  ]);
  expect(await sale.settlement()).toMatchObject({ state: "releasing", round: 2 });
});

test("refreshing a payout account locks the waiting bookings first, then the account, as a transfer does", async ({
  shop,
}) => {
  const sale = await deal(shop, "handedOver");
  const { seller } = sale;
  await wait(shop, 72 * hour);
  await connectBank(shop.cards, seller, { unfinished: true });
  await shop.cards.setCapabilities(await accountOf(shop, seller), { stripe_transfers: "active" });
  const transfer = await shop.pool.connect();
  try {
    await transfer.query("begin");
    await transfer.query("select from bookings where id = $1 for update", [sale.booking]);
    const refreshed = seller.call(refreshPayoutAccount, {});
    await expect.poll(() => countLockWaits(shop.pool)).toBe(1);
    const account = "select from payout_accounts where member_id = $1 for update nowait";
    await transfer.query(account, [seller.id]);
    await transfer.query("commit");
    await refreshed;
  } finally {
    transfer.release(true);
  }
});

test("a seller has a statement for each year with a sale, newest first", async ({
  shop,
  seller,
}) => {
  expect(await seller.call(listStatementYears, {})).toEqual([]);
  const first = shop.clock.now().getUTCFullYear();
  await deal(shop, "paid", { seller });
  shop.clock.advance(2 * 366 * day);
  await deal(shop, "paid", { seller });
  const sale = await deal(shop, "paid", { seller });
  const last = shop.clock.now().getUTCFullYear();
  expect(await seller.call(listStatementYears, {})).toEqual([last, first]);
  const years = [first, first + 1, last];
  const sales = years.map((year) => seller.call(readStatement, { query: { year } }));
  expect((await Promise.all(sales)).map(({ length }) => length)).toEqual([1, 0, 2]);
  expect(await sale.buyer.call(listStatementYears, {}).catch(({ status }) => status)).toBe(403);
});
