import { describe, expect } from "vitest";
import { listPayouts, listSales, readPayoutAccount } from "#contract/payouts.ts";
import { emailsTo } from "../../testing/booking-emails.ts";
import { payAndDispute } from "../../testing/disputes.ts";
import { dealTest } from "../../testing/fixtures.ts";
import type { Person } from "../../testing/people.ts";
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
import type { Shop } from "../../testing/shop.ts";
import { reconcileLedger } from "../ledger-reconciliation/reconcile-ledger.ts";
import { settleIntent } from "../payments/webhook.ts";
import { readSellerAccount } from "./record-payouts.ts";
import { settleDeals } from "./settle-deals.ts";

const test = dealTest();
const price = 64_000;

async function subjectsTo(shop: Shop, who: Person): Promise<string[]> {
  return (await emailsTo(shop, who)).map(({ subject }) => subject);
}

describe("the seller's money", () => {
  test("is sent after the window, once, and arrives in their bank", async ({
    shop,
    cards,
    seller,
    deal,
    pay,
  }) => {
    await connectBank(cards, seller);
    await pay(deal);
    await handOver(deal);
    await wait(shop, 71 * hour);
    expect(await transfersOf(shop, deal)).toEqual([]);
    await wait(shop, 1 * hour);
    for (let again = 0; again < 3; again += 1) await wait(shop, 1 * hour);
    expect(await settlementOf(shop, deal)).toMatchObject({ state: "released" });
    expect(await transfersOf(shop, deal)).toMatchObject([{ state: "made", cents: price }]);
    expect(await moneyOf(shop, deal)).toEqual({ transferred: price });
    expect(await subjectsTo(shop, seller)).toContain("Your $640 is on its way");
    const made = (await cards.ledger()).transfers.filter(
      ({ transfer_group }) => transfer_group === `booking_${deal.booking}`,
    );
    expect(made).toMatchObject([{ amount: price, destination: await accountOf(shop, seller) }]);
    expect(await seller.call(listSales, {})).toMatchObject([
      { _id: deal.booking, price: 640, fee: 0, sent: 640, state: "released" },
    ]);
    await cards.advanceClock(3);
    await readSellerAccount(shop.deps, await accountOf(shop, seller));
    const [payout] = await seller.call(listPayouts, {});
    expect(payout).toMatchObject({ amount: 640 });
    expect(["pending", "in_transit"]).toContain(payout?.state);
    await cards.advanceClock(3);
    await readSellerAccount(shop.deps, await accountOf(shop, seller));
    expect(await seller.call(listPayouts, {})).toMatchObject([{ amount: 640, state: "paid" }]);
    await reconcileLedger(shop.deps);
    const differences = await shop.deps.db.selectFrom("ledger_differences").selectAll().execute();
    expect(differences).toEqual([]);
  });

  test("waits for an account, and arrives once there is one", async ({
    shop,
    cards,
    seller,
    deal,
    pay,
  }) => {
    await pay(deal);
    await handOver(deal);
    await wait(shop, 72 * hour);
    expect(await seller.call(readPayoutAccount, {})).toEqual({
      ...{ connected: false, canReceive: false, canPayOut: false, waiting: 640 },
    });
    await connectBank(cards, seller, { unfinished: true });
    await wait(shop, 2 * hour);
    expect(await seller.call(readPayoutAccount, {})).toMatchObject({
      ...{ connected: true, canReceive: false, waiting: 640 },
    });
    expect(await transfersOf(shop, deal)).toEqual([]);
    await connectBank(cards, seller);
    await settleDeals(shop.deps);
    expect(await settlementOf(shop, deal)).toMatchObject({ state: "released" });
    expect(await seller.call(readPayoutAccount, {})).toMatchObject({ canPayOut: true, waiting: 0 });
  });

  test("is less the shop's fee", async ({ shop, cards, seller, deal, pay }) => {
    const { settlement } = shop.deps.config;
    shop.deps.config.settlement = { ...settlement, feePercent: 3 };
    await connectBank(cards, seller);
    await pay(deal);
    await handOver(deal);
    await wait(shop, 72 * hour);
    shop.deps.config.settlement = settlement;
    expect(await moneyOf(shop, deal)).toEqual({ transferred: 62_080, fee: 1_920 });
    expect(await subjectsTo(shop, seller)).toContain("Your $620.80 is on its way");
  });

  test("is not sent while a bank decides, nor to a suspended seller", async ({
    shop,
    cards,
    seller,
    deal,
  }) => {
    await connectBank(cards, seller);
    await payAndDispute(cards, deal);
    await handOver(deal);
    await wait(shop, 30 * day);
    expect(await settlementOf(shop, deal)).toMatchObject({ state: "complaint_window" });
    await cards.answerDispute(deal.intent, "winning_evidence");
    await settleIntent(shop.deps, deal.intent);
    const suspend = (at: Date | null) =>
      shop.deps.db
        .updateTable("members")
        .set({ suspended_at: at })
        .where("id", "=", seller.id)
        .execute();
    await suspend(shop.clock.now());
    await wait(shop, 1);
    expect(await settlementOf(shop, deal)).toMatchObject({ state: "releasing" });
    expect(await transfersOf(shop, deal)).toEqual([]);
    await suspend(null);
    await wait(shop, 1);
    expect(await settlementOf(shop, deal)).toMatchObject({ state: "released" });
  });
});

describe("a transfer whose answer is lost", () => {
  test("and that was taken for lost is found before another attempt", async ({
    shop,
    cards,
    seller,
    deal,
    pay,
  }) => {
    await connectBank(cards, seller);
    await pay(deal);
    await handOver(deal);
    await cards.injectFaults(lost(true));
    await wait(shop, 72 * hour);
    await shop.deps.db
      .updateTable("transfers")
      .set({ state: "refused", refusal: "absent", next_look_at: null })
      .where("booking_id", "=", deal.booking)
      .execute();
    await wait(shop, 1);
    expect(await transfersOf(shop, deal)).toMatchObject([{ state: "made", attempt: 1 }]);
    expect(await settlementOf(shop, deal)).toMatchObject({ state: "released" });
    expect(await moneyOf(shop, deal)).toEqual({ transferred: price });
  });

  const lost = (afterWork: boolean, times = 2) => ({
    failNext: { method: "POST", path: "/v1/transfers", status: "hangup", afterWork, times },
  });

  test("is looked up, and not made again", async ({ shop, cards, seller, deal, pay }) => {
    await connectBank(cards, seller);
    await pay(deal);
    await handOver(deal);
    await cards.injectFaults(lost(true));
    await wait(shop, 72 * hour);
    expect(await transfersOf(shop, deal)).toMatchObject([{ state: "intended" }]);
    await wait(shop, 2);
    expect(await transfersOf(shop, deal)).toMatchObject([{ state: "made", attempt: 1 }]);
    expect(await moneyOf(shop, deal)).toEqual({ transferred: price });
  });

  test("and that never arrived is made with the same key, and by another attempt after ten minutes", async ({
    shop,
    cards,
    seller,
    hold,
    pay,
  }) => {
    await connectBank(cards, seller);
    const [soon, late] = [await hold(), await hold()];
    await pay(soon);
    await handOver(soon);
    await cards.injectFaults(lost(false));
    await wait(shop, 72 * hour);
    await wait(shop, 2);
    expect(await transfersOf(shop, soon)).toMatchObject([{ state: "made", attempt: 1 }]);
    await pay(late);
    await handOver(late);
    await cards.injectFaults(lost(false));
    await wait(shop, 72 * hour);
    await wait(shop, 11);
    await wait(shop, 1);
    expect(await transfersOf(shop, late)).toMatchObject([
      { state: "refused", refusal: "absent" },
      { state: "made", attempt: 2 },
    ]);
    expect(await moneyOf(shop, late)).toEqual({ transferred: price });
  });
});

test("a refused transfer is followed by another one with a new key, once the account may receive it", async ({
  shop,
  cards,
  seller,
  deal,
  pay,
  holdWebhooks,
}) => {
  await connectBank(cards, seller);
  await holdWebhooks();
  await pay(deal);
  await handOver(deal);
  const account = await accountOf(shop, seller);
  await cards.setCapabilities(account, { stripe_transfers: "rejected" });
  await wait(shop, 72 * hour);
  expect(await transfersOf(shop, deal)).toMatchObject([
    { state: "refused", refusal: "transfers_not_allowed" },
  ]);
  await readSellerAccount(shop.deps, account);
  await wait(shop, 2 * hour);
  expect(await transfersOf(shop, deal)).toHaveLength(1);
  await cards.setCapabilities(account, { stripe_transfers: "active" });
  await readSellerAccount(shop.deps, account);
  await settleDeals(shop.deps);
  const [first, second] = await transfersOf(shop, deal);
  expect(second).toMatchObject({ state: "made" });
  expect(second?.idempotency_key).not.toBe(first?.idempotency_key);
  expect(await settlementOf(shop, deal)).toMatchObject({ state: "released" });
});

test("what a seller earns stays in their account while the provider pays nothing out to them", async ({
  shop,
  cards,
  seller,
  deal,
  pay,
}) => {
  await connectBank(cards, seller);
  const account = await accountOf(shop, seller);
  await cards.setCapabilities(account, { payouts: "restricted" });
  await pay(deal);
  await handOver(deal);
  await wait(shop, 72 * hour);
  await cards.advanceClock(6);
  await readSellerAccount(shop.deps, account);
  expect(await seller.call(listPayouts, {})).toEqual([]);
  const read = () => seller.call(readPayoutAccount, {});
  expect(await read()).toMatchObject({ canReceive: true, canPayOut: false });
  const balance = await shop.deps.cards.readSellerBalance(account, "usd");
  expect(balance).toMatchObject({ availableCents: price });
  await cards.setCapabilities(account, { payouts: "active" });
  await cards.advanceClock(6);
  await readSellerAccount(shop.deps, account);
  expect(await seller.call(listPayouts, {})).toMatchObject([{ amount: 640, state: "paid" }]);
  expect(await read()).toMatchObject({ canPayOut: true });
});

test("a payout that the bank sends back is kept, and another bank is asked for", async ({
  shop,
  cards,
  seller,
  deal,
  pay,
}) => {
  await connectBank(cards, seller, { accountNumber: "000111111116" });
  await pay(deal);
  await handOver(deal);
  await wait(shop, 72 * hour);
  await cards.advanceClock(6);
  for (let again = 0; again < 2; again += 1)
    await readSellerAccount(shop.deps, await accountOf(shop, seller));
  expect(await seller.call(listPayouts, {})).toMatchObject([{ amount: 640, state: "failed" }]);
  const asked = (await subjectsTo(shop, seller)).filter(
    (one) => one === "Your bank sent back $640",
  );
  expect(asked).toHaveLength(1);
  expect(await seller.call(readPayoutAccount, {})).toMatchObject({ canPayOut: false });
});
