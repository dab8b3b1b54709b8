import Stripe from "stripe";
import { describe, expect } from "vitest";
import { readOwnData } from "#contract/account.ts";
import { confirmHandover } from "#contract/handover.ts";
import { deleteUser } from "#contract/members.ts";
import { refundBooking } from "#contract/payments.ts";
import { listSellerProducts } from "#contract/products.ts";
import { sandboxKeys } from "../../settings/sandbox-credentials.ts";
import { readOrder } from "../../testing/deals.ts";
import { disputeOf, disputeTest, payAndDispute, paymentAudit } from "../../testing/disputes.ts";
import { mailsTo, waitForMailAbout } from "../../testing/inbox.ts";
import type { Deal } from "../../testing/marketplace.ts";
import { errorOf, type Person } from "../../testing/people.ts";
import { moneyOf, settlementOf } from "../../testing/settlements.ts";
import type { Shop } from "../../testing/shop.ts";
import { settlePayment } from "../booking-lifecycle/settle-payment.ts";
import { reconcile } from "./reconcile.ts";
import { settleIntent } from "./webhook.ts";

const test = disputeTest();

/** What a payout does: it claims the deal, unless that is on hold. */
async function canBePaidOut({ deps: { db } }: Shop, { booking }: Deal): Promise<boolean> {
  const claimed = await db
    .selectFrom("bookings")
    .select("id")
    .where("id", "=", booking)
    .where("payout_held_at", "is", null)
    .forUpdate()
    .executeTakeFirst();
  return claimed !== undefined;
}

async function auditOf(admin: Person, deal: Deal) {
  const entries = await paymentAudit(admin, deal);
  return entries.filter(({ verb }) => verb.endsWith("Dispute"));
}

describe("a disputed payment", () => {
  test("is shown to admins and the seller, and its payout is on hold, once however often it is reported", async ({
    shop,
    admin,
    seller,
    disputedDeal: deal,
  }) => {
    await expect.poll(() => disputeOf(admin, deal)).toMatchObject({ state: "open" });
    await Promise.all([1, 2, 3].map(() => settleIntent(shop.deps, deal.intent)));
    expect(await disputeOf(admin, deal)).toEqual({
      ...{ state: "open", reason: "product_not_received", amount: 640, closedAt: null },
      openedAt: expect.stringMatching(/Z$/),
      respondBy: expect.stringMatching(/Z$/),
    });
    const [product] = await seller.call(listSellerProducts, { params: { email: seller.email } });
    expect(product?.deal).toMatchObject({ state: "paid", dispute: "open" });
    expect(await canBePaidOut(shop, deal)).toBe(false);
    expect(await auditOf(admin, deal)).toMatchObject([
      {
        ...{ verb: "openDispute", object: "payment", actor: null },
        detail: { amountCents: 64_000, reason: "product_not_received" },
      },
    ]);
    const email = await waitForMailAbout(shop, seller.email, /laptop is disputed$/);
    expect(email.text).toContain("please keep it");
    const again = admin.call(refundBooking, { body: { bookingId: deal.booking } });
    expect(await errorOf(again)).toMatchObject({ status: 409, code: "STALE" });
    expect(await readOrder(deal)).toMatchObject({ state: "paid", refund: null });
  });

  test("shows admins what has changed, until when to answer it, and its buyer in the data export", async ({
    shop,
    cards,
    admin,
    seller,
    buyer,
    dealWithoutWebhooks: deal,
  }) => {
    await payAndDispute(cards, deal);
    const { disputes, ...intent } = await shop.deps.cards.findIntent(deal.intent);
    const smaller = disputes.map((one) => ({ ...one, amountCents: 50_000 }));
    await settlePayment(shop.deps, { ...intent, disputes: smaller }, "webhook");
    expect(await disputeOf(admin, deal)).toMatchObject({ state: "open", amount: 500 });
    await cards.answerDispute(deal.intent, "undecided_evidence");
    await cards.injectFaults({});
    const inReview = { state: "open", respondBy: null, amount: 640 };
    await expect.poll(() => disputeOf(admin, deal)).toMatchObject(inReview);
    expect((await auditOf(admin, deal)).map(({ verb }) => verb)).toEqual(["openDispute"]);
    const { payments } = await buyer.call(readOwnData, {});
    expect(payments).toMatchObject([{ disputes: [await disputeOf(admin, deal)] }]);
    await waitForMailAbout(shop, seller.email, /laptop is disputed$/);
    const subjects = (await mailsTo(shop, seller.email)).map(({ subject }) => subject);
    expect(subjects.filter((subject) => subject.includes("disputed"))).toHaveLength(1);
  });

  test("that the bank lets stand can be paid out", async ({
    shop,
    cards,
    admin,
    seller,
    disputedDeal: deal,
  }) => {
    await expect.poll(() => canBePaidOut(shop, deal)).toBe(false);
    await cards.answerDispute(deal.intent, "winning_evidence");
    await expect.poll(() => disputeOf(admin, deal)).toMatchObject({ state: "won" });
    expect(await canBePaidOut(shop, deal)).toBe(true);
    await waitForMailAbout(shop, seller.email, /laptop stands$/);
  });

  test("that the bank gives back leaves nothing for the seller, also if its events arrive in the wrong order", async ({
    shop,
    cards,
    admin,
    seller,
    dealWithoutWebhooks: deal,
  }) => {
    await cards.pay(deal.intent, "pm_card_createDispute");
    await cards.answerDispute(deal.intent, "losing_evidence");
    await cards.injectFaults({ webhook: { newestFirst: true, copies: 3 } });
    await expect.poll(() => disputeOf(admin, deal)).toMatchObject({ state: "lost" });
    await waitForMailAbout(shop, seller.email, /^The bank gave back the payment/);
    await reconcile(shop.deps);
    expect(await canBePaidOut(shop, deal)).toBe(true);
    expect(await moneyOf(shop, deal)).toEqual({});
    expect(await settlementOf(shop, deal)).toMatchObject({ state: "refunded" });
    expect(await auditOf(admin, deal)).toMatchObject([
      { verb: "closeDispute", detail: { outcome: "lost", reason: "fraudulent" } },
    ]);
    const subjects = (await mailsTo(shop, seller.email)).map(({ subject }) => subject);
    expect(subjects.filter((subject) => /bank|disputed/.test(subject))).toHaveLength(1);
  });

  test("stays decided when an older report, read before the decision, is recorded after it", async ({
    shop,
    cards,
    admin,
    deal,
    holdWebhooks,
  }) => {
    await holdWebhooks();
    await payAndDispute(cards, deal);
    const beforeDecision = await shop.deps.cards.findIntent(deal.intent);
    await cards.answerDispute(deal.intent, "winning_evidence");
    await settleIntent(shop.deps, deal.intent);
    await settlePayment(shop.deps, beforeDecision, "webhook");
    expect(await disputeOf(admin, deal)).toMatchObject({ state: "won" });
    expect(await canBePaidOut(shop, deal)).toBe(true);
  });

  test("that the bank gives back before the handover ends the sale, and leaves nothing to refund", async ({
    shop,
    cards,
    admin,
    seller,
    buyer,
    disputedDeal: deal,
  }) => {
    await expect.poll(() => canBePaidOut(shop, deal)).toBe(false);
    await cards.answerDispute(deal.intent, "losing_evidence");
    const refund = { state: "refunded", amount: 640, toCard: false, dispute: "lost" };
    await expect.poll(() => readOrder(deal)).toMatchObject({ state: "refunded", refund });
    const [product] = await seller.call(listSellerProducts, { params: { email: seller.email } });
    expect(product).toMatchObject({ sales_status: "available", deal: null });
    await settleIntent(shop.deps, deal.intent);
    await reconcile(shop.deps);
    const entries = await paymentAudit(admin, deal);
    const verbs = entries.map(({ verb }) => verb);
    expect(verbs).toEqual(["settle", "openDispute", "closeDispute", "giveBack", "refund"]);
    expect(entries.at(-1)?.detail).toEqual({ paidBackBy: "bank" });
    const { refunds } = await cards.ledger();
    expect(refunds.filter(({ payment_intent }) => payment_intent === deal.intent)).toEqual([]);
    const handover = buyer.call(confirmHandover, { body: { id: deal.booking } });
    expect(await errorOf(handover)).toMatchObject({ status: 409, code: "STALE" });
    for (const { id } of [seller, buyer]) await admin.call(deleteUser, { params: { id } });
  });

  test("that the bank gives back after the handover stays completed", async ({
    shop,
    cards,
    buyer,
    disputedDeal: deal,
  }) => {
    await buyer.call(confirmHandover, { body: { id: deal.booking } });
    await cards.answerDispute(deal.intent, "losing_evidence");
    await settleIntent(shop.deps, deal.intent);
    expect(await readOrder(deal)).toMatchObject({ state: "completed", refund: null });
  });

  test("whose webhooks never arrive is found by the reconciling job", async ({
    shop,
    cards,
    admin,
    dealWithoutWebhooks: deal,
  }) => {
    await payAndDispute(cards, deal);
    expect(await disputeOf(admin, deal)).toMatchObject({ state: "open" });
    await cards.answerDispute(deal.intent, "losing_evidence");
    await reconcile(shop.deps);
    await expect.poll(() => disputeOf(admin, deal)).toMatchObject({ state: "lost" });
  });
});

test("an event about a dispute that the provider does not have changes nothing", async ({
  shop,
  admin,
  pay,
  deal,
}) => {
  await pay(deal);
  const object = { id: "du_forged", object: "dispute", payment_intent: deal.intent, amount: 1 };
  const event = { id: "evt_dispute", type: "charge.dispute.created", data: { object } };
  const payload = JSON.stringify(event);
  const secret = sandboxKeys.webhookSecret;
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret });
  const answer = await fetch(`${shop.url}/api/webhooks/stripe`, {
    method: "POST",
    headers: { "content-type": "application/json", "stripe-signature": signature },
    body: payload,
  });
  expect(answer.status).toBe(200);
  await settleIntent(shop.deps, deal.intent);
  expect(await disputeOf(admin, deal)).toBeNull();
  expect(await canBePaidOut(shop, deal)).toBe(true);
});
