import { describe, expect } from "vitest";
import { complain } from "#contract/complaints.ts";
import { readLedger } from "#contract/ledger.ts";
import { deal } from "../../testing/deal.ts";
import { dealTest } from "../../testing/fixtures.ts";
import { emailsTo } from "../../testing/inbox.ts";
import { balance } from "../../testing/rewards.ts";
import { connectBank, day, earnedBy, hour, wait } from "../../testing/settlements.ts";
import { readDeal } from "../ledger/post-journal.ts";

const test = dealTest();
describe("a laptop that is paid for and not handed over", () => {
  test("a deal without a handover is refunded in full after 14 days, and both parties get two reminders first", async ({
    shop,
  }) => {
    const sale = await deal(shop, "paid");
    expect(await sale.settlement()).toMatchObject({ state: "held", reminders: 0 });
    await wait(shop, 7 * day - 1);
    expect((await sale.settlement()).reminders).toBe(0);
    await wait(shop, 1, 5 * day, 2 * day - 1);
    expect(await sale.order()).toMatchObject({ state: "paid" });
    await wait(shop, 1);
    expect(await sale.order()).toMatchObject({ state: "refunded" });
    expect(await sale.settlement()).toMatchObject({ state: "refunded" });
    const reminders = async (who: typeof sale.seller) =>
      (await emailsTo(shop, who)).filter(({ subject }) => /^Have you/.test(subject));
    expect(
      (await reminders(sale.buyer)).map(({ text }) => /within (\d+ \w+)/.exec(text)?.[1]),
    ).toEqual(["7 days", "48 hours"]);
    expect(await reminders(sale.seller)).toHaveLength(2);
    const subjects = (await emailsTo(shop, sale.buyer)).map(({ subject }) => subject);
    expect(subjects).toContain("We're refunding you $640");
  });

  test("a deal without a handover is not refunded while the buyer's bank is deciding a dispute", async ({
    shop,
  }) => {
    const sale = await deal(shop, "disputed");
    await wait(shop, 15 * day);
    expect(await sale.order()).toMatchObject({ state: "paid" });
    expect(await sale.settlement()).toMatchObject({ state: "held", reminders: 0 });
  });

  test("the time in which the buyer's bank decides a dispute doesn't count toward the 14 days", async ({
    shop,
  }) => {
    const sale = await deal(shop, "paid");
    await wait(shop, 4 * day);
    await sale.reportDispute({ state: "open", movements: [-64_000] });
    await wait(shop, 60 * day);
    await sale.reportDispute({ state: "won", movements: [-64_000, 64_000] });
    await wait(shop, 10 * day - 1);
    expect(await sale.order()).toMatchObject({ state: "paid" });
    await wait(shop, 1);
    expect(await sale.order()).toMatchObject({ state: "refunded" });
  });

  test("after a won dispute, the last reminder still comes two days before the refund", async ({
    shop,
  }) => {
    const sale = await deal(shop, "paid");
    await wait(shop, 4 * day);
    await sale.reportDispute({ state: "open", movements: [-64_000] });
    await wait(shop, 60 * day);
    await sale.reportDispute({ state: "won", movements: [-64_000, 64_000] });
    await wait(shop, 0, 8 * day - 1, 1);
    const reminders = (await emailsTo(shop, sale.buyer)).filter(({ subject }) =>
      /^Have you/.test(subject),
    );
    expect(reminders.map(({ text }) => /within (\d+ \w+)/.exec(text)?.[1])).toEqual([
      "10 days",
      "48 hours",
    ]);
  });
});

describe("a laptop that is handed over", () => {
  test("money can wait over a year for the seller's account, with a reminder after 72 hours and others 1, 7, 30, 60 and 90 days later", async ({
    shop,
    admin,
  }) => {
    const sale = await deal(shop, "handedOver");
    await wait(shop, 72 * hour - 1);
    expect(await sale.settlement()).toMatchObject({ state: "complaint_window" });
    await wait(shop, 1);
    expect(await sale.settlement()).toMatchObject({ state: "releasing" });
    const asked = async () =>
      (await emailsTo(shop, sale.seller)).filter(
        ({ subject }) => subject === "Where should we send your $640?",
      );
    expect(await asked()).toHaveLength(1);
    for (const days of [1, 6, 23, 30, 29, 1]) await wait(shop, days * day);
    expect(await asked()).toHaveLength(6);
    const { balances } = await admin.call(readLedger, {});
    expect(balances).toContainEqual({ account: "seller_payable", balance: -640 });
    expect(await sale.payments()).toMatchObject([{ state: "succeeded" }]);
    await wait(shop, 400 * day);
    expect(await sale.money()).toEqual({ held: 64_000 });
    await connectBank(shop.cards, sale.seller);
    await wait(shop, 1);
    expect(await sale.money()).toEqual({ transferred: 64_000 });
  });
});

test("money that a bank took and then returned belongs to the seller, and waits for the seller's account", async ({
  shop,
}) => {
  const sale = await deal(shop, "handedOver");
  await wait(shop, 72 * hour);
  await sale.cards.openDispute(sale.intent, 64_000);
  await sale.refresh();
  await sale.decideDispute("winning_evidence");
  const due = async () => (await readDeal(shop.deps.db, { bookingId: sale.booking })).due();
  expect(await due()).toBe(64_000);
  await connectBank(shop.cards, sale.seller);
  await wait(shop, 1);
  expect(await sale.money()).toEqual({ transferred: 64_000 });
});

describe("a complaint about a handed-over laptop that was paid for partly with credit", () => {
  const complained = test.extend("sold", async ({ shop, seller, buyer }) => {
    const sale = await deal(shop, "handedOver", { buyer, seller, credit: 30 });
    const body = { bookingId: sale.booking, reason: "other" as const, words: "It is dead." };
    await buyer.call(complain, { body });
    return sale;
  });

  complained(
    "if nobody decides a complaint, the buyer gets card money and credit back after returning the laptop",
    async ({ shop, buyer, sold }) => {
      await wait(shop, 21 * day);
      expect(await sold.money()).toEqual({ held: 64_000, contributed: 3_000 });
      await sold.returned();
      await sold.sendRefund();
      expect(await sold.settlement()).toMatchObject({ state: "refunded" });
      expect(await sold.money()).toEqual({ refunded: 61_000 });
      expect(await balance(buyer)).toBe(30);
    },
  );

  complained(
    "after the bank returns the card payment, the buyer gets the credit back, and a later refund email omits the credit",
    async ({ shop, admin, seller, buyer, sold: sale }) => {
      await sale.reportDispute({ state: "open", movements: [-61_000] });
      await wait(shop, 22 * day);
      expect(await sale.settlement()).toMatchObject({ state: "complaint" });
      await sale.reportDispute({ state: "lost", movements: [-61_000] });
      await wait(shop, 1);
      expect(await sale.settlement()).toMatchObject({ state: "refunded" });
      expect(await sale.money()).toEqual({});
      expect(await balance(buyer)).toBe(30);
      expect(await earnedBy(seller)).toBe(610);
      await sale.reportDispute({ state: "won", movements: [-61_000, 61_000] });
      await sale.sendLeftover(admin, "buyer", 610);
      const email = (await emailsTo(shop, buyer)).find(
        ({ subject }) => subject === "You get $610 back",
      );
      expect(email?.text).toContain("to your card");
      expect(email?.text).not.toContain("credit");
      expect(await earnedBy(seller)).toBe(0);
    },
  );
});
