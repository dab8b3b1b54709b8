import Stripe from "stripe";
import { describe, expect } from "vitest";
import { readOwnData } from "#contract/account.ts";
import { listAuditLog } from "#contract/audit.ts";
import { confirmHandover } from "#contract/bookings.ts";
import { deleteUser } from "#contract/members.ts";
import { listPayments, refundBooking, settleRefund } from "#contract/payments.ts";
import { listSellerProducts } from "#contract/products.ts";
import { sandboxKeys } from "../../settings/sandbox-credentials.ts";
import type { CardProvider } from "../../testing/cards.ts";
import { endHoldWithoutProvider, paymentsFor, readOrder } from "../../testing/deals.ts";
import { dealTest } from "../../testing/fixtures.ts";
import { mailsTo, waitForMailAbout } from "../../testing/inbox.ts";
import { type Deal, sendRecordPayment } from "../../testing/marketplace.ts";
import { createMember, errorOf, type Person } from "../../testing/people.ts";
import type { Shop } from "../../testing/shop.ts";
import { settlePayment } from "../booking-lifecycle/settle-payment.ts";
import { reconcile } from "./reconcile.ts";
import { settleIntent } from "./webhook.ts";

const test = dealTest({ worker: true });

/** Pays with a card whose holder disputes the payment at once. */
async function payAndDispute(cards: CardProvider, deal: Deal): Promise<void> {
  await cards.pay(deal.intent, "pm_card_createDisputeProductNotReceived");
  await sendRecordPayment(deal);
}

/** The dispute as admins see it. */
async function disputeOf(admin: Person, { intent }: Deal) {
  const [payment] = await admin.call(listPayments, { query: { search: intent } });
  return payment?.dispute;
}

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

async function auditOf(shop: Shop, admin: Person, deal: Deal) {
  const [payment] = await paymentsFor(shop, deal);
  const entries = await admin.call(listAuditLog, { query: { objectId: payment?.id } });
  return entries.filter(({ verb }) => verb.endsWith("Dispute")).reverse();
}

describe("a disputed payment", () => {
  test("is shown to admins and the seller, and its payout is on hold, once however often it is reported", async ({
    shop,
    cards,
    admin,
    seller,
    deal,
  }) => {
    await payAndDispute(cards, deal);
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
    expect(await auditOf(shop, admin, deal)).toMatchObject([
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
    deal,
  }) => {
    await payAndDispute(cards, deal);
    const { disputes, ...intent } = await shop.deps.cards.findIntent(deal.intent);
    const smaller = disputes.map((one) => ({ ...one, amountCents: 50_000 }));
    await settlePayment(shop.deps, { ...intent, disputes: smaller }, "webhook");
    expect(await disputeOf(admin, deal)).toMatchObject({ state: "open", amount: 500 });
    await cards.answerDispute(deal.intent, "undecided_evidence");
    const inReview = { state: "open", respondBy: null, amount: 640 };
    await expect.poll(() => disputeOf(admin, deal)).toMatchObject(inReview);
    expect((await auditOf(shop, admin, deal)).map(({ verb }) => verb)).toEqual(["openDispute"]);
    const { payments } = await buyer.call(readOwnData, {});
    expect(payments).toMatchObject([{ disputes: [await disputeOf(admin, deal)] }]);
    await waitForMailAbout(shop, seller.email, /laptop is disputed$/);
    const subjects = (await mailsTo(shop, seller.email)).map(({ subject }) => subject);
    expect(subjects.filter((subject) => subject.includes("disputed"))).toHaveLength(1);
  });

  test("that the bank lets stand can be paid out", async ({ shop, cards, admin, seller, deal }) => {
    await payAndDispute(cards, deal);
    await expect.poll(() => canBePaidOut(shop, deal)).toBe(false);
    await cards.answerDispute(deal.intent, "winning_evidence");
    await expect.poll(() => disputeOf(admin, deal)).toMatchObject({ state: "won" });
    expect(await canBePaidOut(shop, deal)).toBe(true);
    await waitForMailAbout(shop, seller.email, /laptop stands$/);
  });

  test("that the bank gives back stays on hold, also if its events arrive in the wrong order", async ({
    shop,
    cards,
    admin,
    seller,
    deal,
    holdWebhooks,
  }) => {
    await holdWebhooks();
    await cards.pay(deal.intent, "pm_card_createDispute");
    await cards.answerDispute(deal.intent, "losing_evidence");
    await cards.injectFaults({ webhook: { newestFirst: true, copies: 3 } });
    await expect.poll(() => disputeOf(admin, deal)).toMatchObject({ state: "lost" });
    await waitForMailAbout(shop, seller.email, /^The bank gave back the payment/);
    await reconcile(shop.deps);
    expect(await canBePaidOut(shop, deal)).toBe(false);
    expect(await auditOf(shop, admin, deal)).toMatchObject([
      { verb: "closeDispute", detail: { outcome: "lost", reason: "fraudulent" } },
    ]);
    const subjects = (await mailsTo(shop, seller.email)).map(({ subject }) => subject);
    expect(subjects.filter((subject) => /bank|disputed/.test(subject))).toHaveLength(1);
  });

  test("that the bank gives back before the handover ends the sale, and leaves nothing to refund", async ({
    shop,
    cards,
    admin,
    seller,
    buyer,
    deal,
  }) => {
    await payAndDispute(cards, deal);
    await expect.poll(() => canBePaidOut(shop, deal)).toBe(false);
    await cards.answerDispute(deal.intent, "losing_evidence");
    const refund = { state: "refunded", amount: 640, toCard: false, dispute: "lost" };
    await expect.poll(() => readOrder(deal)).toMatchObject({ state: "refunded", refund });
    const [product] = await seller.call(listSellerProducts, { params: { email: seller.email } });
    expect(product).toMatchObject({ sales_status: "available", deal: null });
    await settleIntent(shop.deps, deal.intent);
    await reconcile(shop.deps);
    const [payment] = await paymentsFor(shop, deal);
    const entries = await admin.call(listAuditLog, { query: { objectId: payment?.id } });
    const verbs = entries.map(({ verb }) => verb).reverse();
    expect(verbs).toEqual(["settle", "openDispute", "closeDispute", "giveBack", "refund"]);
    expect(entries[0]?.detail).toEqual({ paidBackBy: "bank" });
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
    deal,
  }) => {
    await payAndDispute(cards, deal);
    await buyer.call(confirmHandover, { body: { id: deal.booking } });
    await cards.answerDispute(deal.intent, "losing_evidence");
    await settleIntent(shop.deps, deal.intent);
    expect(await readOrder(deal)).toMatchObject({ state: "completed", refund: null });
  });

  test("that prevents a refund is refunded when the bank lets the payment stand", async ({
    shop,
    cards,
    admin,
    deal,
    holdWebhooks,
  }) => {
    await holdWebhooks();
    await cards.pay(deal.intent, "pm_card_createDispute");
    const intent = await shop.deps.cards.findIntent(deal.intent);
    await settlePayment(shop.deps, { ...intent, disputes: [] }, "webhook");
    const body = { bookingId: deal.booking };
    await admin.call(refundBooking, { body });
    await expect.poll(() => disputeOf(admin, deal)).toMatchObject({ state: "open" });
    const disputedRefund = { state: "refund_failed", dispute: "open" };
    expect(await readOrder(deal)).toMatchObject({ refund: disputedRefund });
    const message = expect.stringContaining("their bank decides about the money");
    for (const call of [settleRefund, refundBooking]) {
      const refused = await errorOf(admin.call(call, { body }));
      expect(refused).toMatchObject({ status: 409, code: "STALE", message });
    }
    expect(await readOrder(deal)).toMatchObject({ refund: disputedRefund });
    await cards.answerDispute(deal.intent, "winning_evidence");
    await settleIntent(shop.deps, deal.intent);
    const refund = { state: "refunded", toCard: true, dispute: "won" };
    await expect.poll(() => readOrder(deal)).toMatchObject({ refund });
    const { refunds } = await cards.ledger();
    expect(refunds.filter(({ payment_intent }) => payment_intent === deal.intent)).toHaveLength(1);
  });

  test("that was lost and is won after all is refunded, because the sale was cancelled", async ({
    shop,
    cards,
    admin,
    deal,
  }) => {
    await payAndDispute(cards, deal);
    await cards.answerDispute(deal.intent, "losing_evidence");
    await expect.poll(() => readOrder(deal)).toMatchObject({ state: "refunded" });
    const intent = await shop.deps.cards.findIntent(deal.intent);
    const disputes = intent.disputes.map((one) => ({ ...one, state: "won" as const }));
    await settlePayment(shop.deps, { ...intent, disputes }, "webhook");
    const [payment] = await paymentsFor(shop, deal);
    const verbs = async () => {
      const entries = await admin.call(listAuditLog, { query: { objectId: payment?.id } });
      return entries.map(({ verb }) => verb).reverse();
    };
    // The sandbox has not changed its mind: it refuses the refund.
    await expect
      .poll(async () => (await verbs()).slice(-4))
      .toEqual(["failRefund", "giveUpRefund", "closeDispute", "settleRefund"]);
  });

  test("whose webhooks never arrive is found by the reconciling job", async ({
    shop,
    cards,
    admin,
    deal,
    holdWebhooks,
  }) => {
    await holdWebhooks();
    await payAndDispute(cards, deal);
    expect(await disputeOf(admin, deal)).toMatchObject({ state: "open" });
    await cards.answerDispute(deal.intent, "losing_evidence");
    await reconcile(shop.deps);
    await expect.poll(() => disputeOf(admin, deal)).toMatchObject({ state: "lost" });
  });

  test("that arrived too late is not refunded as well, and handed to an admin", async ({
    shop,
    cards,
    admin,
    buyer,
    hold,
    deal,
    holdWebhooks,
  }) => {
    await holdWebhooks();
    await cards.pay(deal.intent, "pm_card_createDispute");
    await endHoldWithoutProvider(shop, deal, "expired");
    await hold(await createMember(shop), deal.product);
    await settleIntent(shop.deps, deal.intent);
    await expect
      .poll(() => paymentsFor(shop, deal))
      .toMatchObject([{ state: "refund_failed", refund_id: null }]);
    const [payment] = await paymentsFor(shop, deal);
    const [entry] = await admin.call(listAuditLog, { query: { objectId: payment?.id } });
    expect(entry).toMatchObject({
      verb: "giveUpRefund",
      detail: { reason: "charge_disputed", toDo: expect.stringContaining("bank decides") },
    });
    const subjects = (await mailsTo(shop, buyer.email)).map(({ subject }) => subject);
    expect(subjects.filter((subject) => subject.includes("refund"))).toEqual([]);
    await cards.answerDispute(deal.intent, "losing_evidence");
    await settleIntent(shop.deps, deal.intent);
    const refund = { state: "refunded", toCard: false, dispute: "lost" };
    expect(await readOrder(deal)).toMatchObject({ state: "expired", refund });
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
