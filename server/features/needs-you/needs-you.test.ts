import { describe, expect } from "vitest";
import { answerComplaint } from "#contract/complaints.ts";
import { readDealRecord } from "#contract/deal-records.ts";
import { dismissFlag } from "#contract/flagged-listings.ts";
import { toggleSuspension } from "#contract/members.ts";
import { readNeedsYou } from "#contract/needs-you.ts";
import { deleteReport, reportProduct } from "#contract/reports.ts";
import type { Sale } from "../../testing/deal.ts";
import { deal } from "../../testing/deal.ts";
import { dealTest, withoutWebhooks } from "../../testing/fixtures.ts";
import { emailsTo } from "../../testing/inbox.ts";
import { listing } from "../../testing/marketplace.ts";
import { errorOf, member, type Person } from "../../testing/people.ts";
import { day, earnedBy, hour, wait } from "../../testing/settlements.ts";
import { mailNeedsYou } from "./mail-needs-you.ts";

const price = 64_000;
const part = 10_000;

const test = dealTest({ webhooks: false });

async function waiting({ booking }: Sale, admin: Person) {
  const { items } = await admin.call(readNeedsYou, {});
  return items.filter(({ bookingId }) => bookingId === booking);
}

describe("items that need an admin", () => {
  test("admins see a refund that is late, and one that the shop has given up on", async ({
    shop,
    admin,
  }) => {
    const sale = await deal(shop, "paid");
    await sale.refund(admin);
    expect(await waiting(sale, admin)).toEqual([]);
    shop.clock.advance(hour);
    expect(await waiting(sale, admin)).toMatchObject([{ reason: "refund_late", amount: 640 }]);
    // Gives up on the refund, as the shop does after three failures.
    await shop.deps.db
      .updateTable("payments")
      .set({ given_up_at: shop.clock.now() })
      .where("booking_id", "=", sale.booking)
      .execute();
    expect(await waiting(sale, admin)).toMatchObject([
      { reason: "refund_failed", amount: 640, transactionId: sale.intent },
    ]);
    await sale.sendAnotherWay(admin);
    expect(await waiting(sale, admin)).toEqual([]);
  });

  test("admins see a partial refund that is late and then fails", async ({ shop, admin }) => {
    const sale = await deal(shop, "complained", { bank: true });
    await sale.decide(admin, 100);
    const failNext = { method: "POST", path: "/v1/refunds", status: 400, times: 99 };
    await shop.cards.injectFaults({ failNext, ...withoutWebhooks });
    await wait(shop, 1, hour);
    expect(await waiting(sale, admin)).toMatchObject([{ reason: "refund_late", amount: 100 }]);
    await wait(shop, day);
    expect(await waiting(sale, admin)).toMatchObject([{ reason: "refund_failed", amount: 100 }]);
    await shop.cards.injectFaults(withoutWebhooks);
    await sale.refund(admin);
    await wait(shop, 1);
    expect(await waiting(sale, admin)).toEqual([]);
    expect(await sale.money()).toMatchObject({ refunded: part });
  });

  test.for([
    { code: "balance_insufficient", reason: "balance_too_small" },
    { code: "account_invalid", reason: "transfer_refused" },
  ])("admins see a refused transfer: $reason", async ({ code, reason }, { shop, admin }) => {
    const sale = await deal(shop, "handedOver", { bank: true });
    const failNext = { method: "POST", path: "/v1/transfers", status: 400, code, times: 99 };
    await shop.cards.injectFaults({ failNext, ...withoutWebhooks });
    await wait(shop, 72 * hour);
    expect(await waiting(sale, admin)).toMatchObject([{ reason, amount: 640 }]);
    await shop.cards.injectFaults(withoutWebhooks);
    await wait(shop, day);
    expect(await waiting(sale, admin)).toEqual([]);
    expect(await sale.money()).toEqual({ transferred: price });
  });

  test("admins see an open dispute until it is decided", async ({ shop, admin }) => {
    const sale = await deal(shop, "disputed");
    await sale.refresh();
    expect(await waiting(sale, admin)).toMatchObject([
      { reason: "dispute", amount: 640, deadline: expect.any(String) },
    ]);
    await sale.decideDispute("losing_evidence");
    expect(await waiting(sale, admin)).toEqual([]);
  });

  test("admins see an inquiry from a buyer's bank until the payment is refunded", async ({
    shop,
    admin,
  }) => {
    const sale = await deal(shop, "paid", { paidBy: "pm_card_createDisputeInquiry" });
    await sale.refresh();
    expect(await waiting(sale, admin)).toMatchObject([
      { reason: "inquiry", amount: 640, deadline: expect.any(String) },
    ]);
    await sale.refund(admin);
    await sale.sendRefund();
    await sale.refresh();
    expect(await waiting(sale, admin)).toEqual([]);
  });

  test("admins see a complaint as soon as they have to decide it, and are emailed a summary with the first deadline", async ({
    shop,
    admin,
  }) => {
    const sale = await deal(shop, "complained");
    expect(await waiting(sale, admin)).toEqual([]);
    const body = { answer: "disagree" as const, words: "It works." };
    await sale.seller.call(answerComplaint, { ...sale.at, body });
    expect(await waiting(sale, admin)).toMatchObject([{ reason: "complaint", amount: 640 }]);
    await mailNeedsYou(shop.deps);
    const mail = (await emailsTo(shop, admin, / you/)).at(-1);
    expect(mail?.subject).toMatch(/^(One thing needs|\d+ things need) you, the first by \w+ \d+$/);
    expect(mail?.text).toContain(
      "Buyer and seller don't agree about $640. Decide who gets it. By ",
    );
    expect(mail?.text).toContain("/dashboard/needsYou");
    await sale.decide(admin, 0);
    expect(await waiting(sale, admin)).toEqual([]);
  });

  test("admins see a complaint during a bank's inquiry, without a deadline, but not while the bank decides a dispute", async ({
    shop,
    admin,
  }) => {
    const sale = await deal(shop, "complained", { paidBy: "pm_card_createDisputeInquiry" });
    await sale.refresh();
    const body = { answer: "disagree" as const, words: "It works." };
    await sale.seller.call(answerComplaint, { ...sale.at, body });
    const complaint = async () =>
      (await waiting(sale, admin)).find(({ reason }) => reason === "complaint");
    expect(await complaint()).toMatchObject({ amount: 640, deadline: null });
    await sale.reportDispute({ state: "open", movements: [-price] });
    expect(await complaint()).toBeUndefined();
    expect(await errorOf(sale.decide(admin, 0))).toMatchObject({ code: "STALE" });
  });

  test("admins see a difference between the provider and the ledger", async ({ shop, admin }) => {
    const row = { reference: "pi_differs", provider_cents: "200", ledger_cents: "500" };
    await shop.deps.db
      .insertInto("ledger_differences")
      .values({ ...row, found_at: shop.clock.now() })
      .execute();
    const { items } = await admin.call(readNeedsYou, {});
    expect(items.find(({ reason }) => reason === "difference")).toMatchObject({
      bookingId: null,
      transactionId: "pi_differs",
      amount: 3,
    });
    await shop.deps.db.deleteFrom("ledger_differences").execute();
  });
});

describe("money that the seller can't receive", () => {
  test("after a year, admins see unclaimed money with the provider's deadline, and can refund it with a reason", async ({
    shop,
    admin,
  }) => {
    const sale = await deal(shop, "handedOver");
    await wait(shop, 72 * hour, 361 * day);
    expect(await waiting(sale, admin)).toEqual([]);
    await wait(shop, day);
    const [item] = await waiting(sale, admin);
    expect(item).toMatchObject({ reason: "unclaimed", amount: 640 });
    const { paid_at } = await sale.settlement();
    expect(item?.deadline).toBe(new Date(paid_at.getTime() + 730 * day * 60_000).toISOString());
    expect(await admin.call(readDealRecord, sale.at)).toMatchObject({
      leftover: 640,
      leftoverToBuyer: 640,
      leftoverWaits: true,
    });
    expect(await errorOf(sale.sendLeftover(admin, "seller", 640))).toMatchObject({ code: "STALE" });
    expect(await errorOf(sale.sendLeftover(admin, "buyer", 640))).toMatchObject({
      code: "INVALID_INPUT",
      message: expect.stringContaining("Say why"),
    });
    await sale.sendLeftover(admin, "buyer", 640, "You haven't connected a bank account.");
    await wait(shop, 1);
    expect(await sale.money()).toEqual({ refunded: price });
    expect(await sale.settlement()).toMatchObject({ state: "refunded" });
    expect(await earnedBy(sale.seller)).toBe(0);
    expect(await waiting(sale, admin)).toEqual([]);
    const reason = "The reason: You haven't connected a bank account.";
    const [toBuyer] = await emailsTo(shop, sale.buyer, /^You get \$640 back$/);
    expect(toBuyer?.text).toContain(reason);
    const [toSeller] = await emailsTo(shop, sale.seller, /^\$640 for your .* went back/);
    expect(toSeller?.text).toContain(reason);
  });

  test("a suspended seller's money is listed as unclaimed, and is sent after the seller is restored", async ({
    shop,
    admin,
  }) => {
    const sale = await deal(shop, "handedOver", { bank: true });
    const suspend = (suspended: boolean) =>
      admin.call(toggleSuspension, { body: { id: sale.seller.id, suspended } });
    await suspend(false);
    await wait(shop, 72 * hour, 365 * day);
    expect(await waiting(sale, admin)).toMatchObject([{ reason: "unclaimed" }]);
    expect(await sale.money()).toEqual({ held: price });
    await suspend(true);
    await wait(shop, 1);
    expect(await sale.money()).toEqual({ transferred: price });
    expect(await waiting(sale, admin)).toEqual([]);
  });
});

test("admins see the number of open reports and flagged listings", async ({ shop, admin }) => {
  const seller = await member(shop, { accountType: "seller" });
  const product = await listing(seller, { resale_price: 4300, original_price: 899 });
  const queues = async () => (await admin.call(readNeedsYou, {})).queues;
  const before = await queues();
  expect(before).toMatchObject({ messages: 0, reviews: 0, invitations: 0 });
  const body = { comment: "Stolen.", reportProduct: { _id: product } };
  const report = async () =>
    await (await member(shop, { accountType: "buyer" })).call(reportProduct, { body });
  const { insertedId: id } = await report();
  await report();
  expect(await queues()).toMatchObject({ reports: before.reports + 2, listings: before.listings });
  await admin.call(deleteReport, { params: { id } });
  await admin.call(dismissFlag, { params: { id: product } });
  const after = { reports: before.reports + 1, listings: before.listings - 1 };
  expect(await queues()).toMatchObject(after);
});
