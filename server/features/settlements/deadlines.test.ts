import { describe, expect } from "vitest";
import { complain } from "#contract/complaints.ts";
import { settleLeftover } from "#contract/deal-records.ts";
import { confirmHandover } from "#contract/handover.ts";
import { readLedger } from "#contract/ledger.ts";
import { emailsTo } from "../../testing/booking-emails.ts";
import { balance, give, sendRefund } from "../../testing/credits.ts";
import { paymentsFor, readOrder } from "../../testing/deals.ts";
import { payAndDispute, reportDispute } from "../../testing/disputes.ts";
import { dealTest } from "../../testing/fixtures.ts";
import { listLaptop, openDeal, payForDeal } from "../../testing/marketplace.ts";
import {
  connectBank,
  day,
  earnedBy,
  handOver,
  hour,
  moneyOf,
  settlementOf,
  wait,
} from "../../testing/settlements.ts";
import { refundPayment } from "../booking-lifecycle/refunds.ts";

const test = dealTest();
describe("a laptop that is paid for and not handed over", () => {
  test("is refunded in full after 14 days, with two reminders to both before", async ({
    shop,
    seller,
    deal,
    pay,
  }) => {
    await pay(deal);
    expect(await settlementOf(shop, deal)).toMatchObject({ state: "held", reminders: 0 });
    await wait(shop, 7 * day - 1);
    expect((await settlementOf(shop, deal)).reminders).toBe(0);
    await wait(shop, 1);
    await wait(shop, 5 * day);
    await wait(shop, 2 * day - 1);
    expect(await readOrder(deal)).toMatchObject({ state: "paid" });
    await wait(shop, 1);
    expect(await readOrder(deal)).toMatchObject({ state: "refunded" });
    expect(await settlementOf(shop, deal)).toMatchObject({ state: "refunding" });
    const reminders = async (who: typeof seller) =>
      (await emailsTo(shop, who)).filter(({ subject }) => /^Have you/.test(subject));
    expect(
      (await reminders(deal.buyer)).map(({ text }) => /within (\d+ \w+)/.exec(text)?.[1]),
    ).toEqual(["7 days", "48 hours"]);
    expect(await reminders(seller)).toHaveLength(2);
    expect((await emailsTo(shop, deal.buyer)).at(-1)?.subject).toBe("We're refunding you $640");
  });

  test("is not refunded while the buyer's bank decides about the payment", async ({
    shop,
    cards,
    deal,
  }) => {
    await payAndDispute(cards, deal);
    await wait(shop, 15 * day);
    expect(await readOrder(deal)).toMatchObject({ state: "paid" });
    expect(await settlementOf(shop, deal)).toMatchObject({ state: "held", reminders: 0 });
  });
});

describe("a laptop that is handed over", () => {
  test("has 72 hours for complaints; then its money waits for the seller's account, who is reminded after 1, 7 and 30 days", async ({
    shop,
    seller,
    admin,
    deal,
    pay,
  }) => {
    await pay(deal);
    await deal.buyer.call(confirmHandover, { body: { id: deal.booking } });
    await wait(shop, 72 * hour - 1);
    expect(await settlementOf(shop, deal)).toMatchObject({ state: "complaint_window" });
    await wait(shop, 1);
    expect(await settlementOf(shop, deal)).toMatchObject({ state: "releasing" });
    const asked = async () =>
      (await emailsTo(shop, seller)).filter(
        ({ subject }) => subject === "Where should we send your $640?",
      );
    expect(await asked()).toHaveLength(1);
    for (const days of [1, 6, 23, 30]) await wait(shop, days * day);
    expect(await asked()).toHaveLength(4);
    const { balances } = await admin.call(readLedger, {});
    expect(balances).toContainEqual({ account: "seller_payable", balance: -640 });
    expect(await paymentsFor(shop, deal)).toMatchObject([{ state: "succeeded" }]);
  });

  test("is not released while the buyer's bank decides about the payment", async ({
    shop,
    cards,
    deal,
  }) => {
    await payAndDispute(cards, deal);
    await deal.buyer.call(confirmHandover, { body: { id: deal.booking } });
    await wait(shop, 10 * day);
    expect(await settlementOf(shop, deal)).toMatchObject({ state: "complaint_window" });
  });
});

test("money that the seller does not claim in 85 days goes back to the buyer, after a last call", async ({
  shop,
  cards,
  seller,
  deal,
  pay,
}) => {
  await pay(deal);
  await deal.buyer.call(confirmHandover, { body: { id: deal.booking } });
  await wait(shop, 72 * hour);
  await wait(shop, 73 * day);
  const subjects = async (who: typeof seller) =>
    (await emailsTo(shop, who)).map(({ subject }) => subject);
  expect(await subjects(seller)).toContain("Connect your bank account within 9 days");
  await wait(shop, 9 * day - 1);
  expect(await settlementOf(shop, deal)).toMatchObject({ state: "releasing" });
  await wait(shop, 2);
  expect(await settlementOf(shop, deal)).toMatchObject({ state: "refunding" });
  expect(await subjects(deal.buyer)).toContain("We're refunding you $640");
  for (const { id } of await paymentsFor(shop, deal)) await refundPayment(shop.deps, id);
  await connectBank(cards, seller);
  await wait(shop, 1 * day);
  expect(await settlementOf(shop, deal)).toMatchObject({ state: "refunded" });
  expect(await moneyOf(shop, deal)).toEqual({ refunded: 64_000 });
});

test("money that the seller can receive by then is sent to them", async ({
  shop,
  cards,
  seller,
  deal,
  pay,
}) => {
  await pay(deal);
  await deal.buyer.call(confirmHandover, { body: { id: deal.booking } });
  await wait(shop, 72 * hour);
  await connectBank(cards, seller);
  await wait(shop, 90 * day);
  expect(await moneyOf(shop, deal)).toEqual({ transferred: 64_000 });
});

test("admins hear once of money that has been held for 75 days, by one email a day", async ({
  shop,
  admin,
  hold,
  pay,
}) => {
  const deals = [await hold(), await hold(), await hold()];
  for (const deal of deals) {
    await pay(deal);
    await handOver(deal);
    if (deal === deals[1]) shop.clock.advance(6 * hour);
  }
  const alarms = async () =>
    (await emailsTo(shop, admin))
      .filter(({ subject }) => subject.startsWith("Pay out or refund"))
      .map(({ text }) => deals.map(({ intent }) => text.includes(intent)));
  const before = (await alarms()).length;
  await wait(shop, 74 * day);
  expect(await alarms()).toHaveLength(before);
  // The third is old enough six hours after the others.
  for (const minutes of [18 * hour, 6 * hour, 6 * hour]) await wait(shop, minutes);
  expect((await alarms()).slice(before)).toEqual([[true, true, false]]);
  for (let again = 0; again < 3; again += 1) await wait(shop, 1 * day);
  expect((await alarms()).slice(before)).toEqual([
    [true, true, false],
    [false, false, true],
  ]);
});

test("admins get one such email a day also if the first deal is paid out meanwhile", async ({
  shop,
  admin,
  seller,
  hold,
  pay,
}) => {
  for (const minutes of [6 * hour, 0]) {
    const deal = await hold();
    await pay(deal);
    await handOver(deal);
    shop.clock.advance(minutes);
  }
  const alarms = async () =>
    (await emailsTo(shop, admin)).filter(({ subject }) => subject.startsWith("Pay out or refund"))
      .length;
  const before = await alarms();
  await wait(shop, 75 * day - 6 * hour);
  expect(await alarms()).toBe(before + 1);
  await shop.deps.db
    .updateTable("settlements")
    .set({ state: "released" })
    .where("seller_id", "=", seller.id)
    .where("alarmed_at", "is not", null)
    .execute();
  await wait(shop, 6 * hour);
  expect(await alarms()).toBe(before + 1);
});

describe("of a laptop that was paid with credit, handed over and complained about,", () => {
  const complained = test.extend("sold", async ({ shop, cards, seller, buyer }) => {
    await give(shop, buyer, 30);
    const deal = await openDeal(buyer, await listLaptop(seller));
    await payForDeal(cards, deal);
    await handOver(deal);
    const body = { bookingId: deal.booking, reason: "other" as const, words: "It is dead." };
    await buyer.call(complain, { body });
    return deal;
  });

  complained("card money and credit go back if nobody decides", async ({ shop, buyer, sold }) => {
    await wait(shop, 21 * day);
    await sendRefund(shop, sold);
    expect(await settlementOf(shop, sold)).toMatchObject({ state: "refunded" });
    expect(await moneyOf(shop, sold)).toEqual({ refunded: 61_000 });
    expect(await balance(buyer)).toBe(30);
  });

  /** The bank has given back the rest. */
  const paidBack = complained.extend("paidBack", async ({ shop, sold }) => {
    await reportDispute(shop, sold, { state: "open", movements: [-61_000] });
    await wait(shop, 22 * day);
    expect(await settlementOf(shop, sold)).toMatchObject({ state: "complaint" });
    await reportDispute(shop, sold, { state: "lost", movements: [-61_000] });
    await wait(shop, 1);
    return sold;
  });

  paidBack(
    "credit goes back, too, once the bank has given back the rest",
    async ({ shop, seller, buyer, paidBack: deal }) => {
      expect(await settlementOf(shop, deal)).toMatchObject({ state: "refunded" });
      expect(await moneyOf(shop, deal)).toEqual({});
      expect(await balance(buyer)).toBe(30);
      expect(await earnedBy(seller)).toBe(610);
    },
  );

  paidBack(
    "no later email says that the credit comes back",
    async ({ shop, admin, seller, buyer, paidBack: deal }) => {
      await reportDispute(shop, deal, { state: "won", movements: [-61_000, 61_000] });
      const body = { to: "buyer" as const, amount: 610 };
      await admin.call(settleLeftover, { params: { id: deal.booking }, body });
      const email = (await emailsTo(shop, buyer)).find(
        ({ subject }) => subject === "You get $610 back",
      );
      expect(email?.text).toContain("to your card");
      expect(email?.text).not.toContain("credit");
      expect(await earnedBy(seller)).toBe(0);
    },
  );
});
