import Stripe from "stripe";
import { describe, expect } from "vitest";
import { readOwnData } from "#contract/account.ts";
import { deleteUser } from "#contract/members.ts";
import { listSellerProducts } from "#contract/products.ts";
import { sandboxKeys } from "../../settings/production-checks.ts";
import type { Sale } from "../../testing/deal.ts";
import { deal } from "../../testing/deal.ts";
import { dealTest, withoutWebhooks } from "../../testing/fixtures.ts";
import { mailsTo, waitForMailAbout } from "../../testing/inbox.ts";
import { errorOf, type Person } from "../../testing/people.ts";
import { reconcile } from "./reconcile.ts";
import { settlePayment } from "./settle-payment.ts";

const test = dealTest({ worker: true });

/** Locks the booking as a payout does. Returns false if the payout is on hold. */
async function canBePaidOut({ shop, booking }: Sale): Promise<boolean> {
  const claimed = await shop.deps.db
    .selectFrom("bookings")
    .select("id")
    .where("id", "=", booking)
    .where("payout_held_at", "is", null)
    .forUpdate()
    .executeTakeFirst();
  return claimed !== undefined;
}

const auditOf = async (admin: Person, sale: Sale) =>
  (await sale.audit(admin)).filter(({ verb }) => verb.endsWith("Dispute"));

describe("a disputed payment", () => {
  test("a dispute puts the payout on hold, the seller is emailed, and a late report doesn't reopen a won dispute", async ({
    shop,
    admin,
  }) => {
    const sale = await deal(shop, "disputed");
    await expect.poll(() => sale.dispute(admin)).toMatchObject({ state: "open" });
    await Promise.all([1, 2, 3].map(() => sale.refresh()));
    expect(await sale.dispute(admin)).toEqual({
      state: "open",
      reason: "product_not_received",
      amount: 640,
      closedAt: null,
      openedAt: expect.stringMatching(/Z$/),
      respondBy: expect.stringMatching(/Z$/),
    });
    const [product] = await sale.seller.call(listSellerProducts, {
      params: { email: sale.seller.email },
    });
    expect(product?.deal).toMatchObject({ state: "paid", dispute: "open" });
    expect(await canBePaidOut(sale)).toBe(false);
    expect(await auditOf(admin, sale)).toMatchObject([
      {
        verb: "openDispute",
        object: "payment",
        actor: null,
        detail: { amountCents: 64_000, reason: "product_not_received" },
      },
    ]);
    const email = await waitForMailAbout(shop, sale.seller.email, /laptop is disputed$/);
    expect(email.text).toContain("please keep it");
    const again = sale.refund(admin);
    expect(await errorOf(again)).toMatchObject({ status: 409, code: "STALE" });
    expect(await sale.order()).toMatchObject({ state: "paid", refund: null });

    const beforeDecision = await shop.deps.cards.findIntent(sale.intent);
    await shop.cards.answerDispute(sale.intent, "winning_evidence");
    await expect.poll(() => sale.dispute(admin)).toMatchObject({ state: "won" });
    await waitForMailAbout(shop, sale.seller.email, /laptop stands$/);
    await settlePayment(shop.deps, beforeDecision, "webhook");
    expect(await sale.dispute(admin)).toMatchObject({ state: "won" });
    expect(await canBePaidOut(sale)).toBe(true);
    expect((await sale.journals()).at(-1)).toEqual([
      "dispute_reinstated",
      expect.stringMatching(/^du_/),
      { stripe_clearing: 64_000, dispute_reserve: -64_000 },
    ]);
  });

  test("admins see a dispute's current amount and deadline", async ({ shop, admin }) => {
    await shop.cards.injectFaults(withoutWebhooks);
    const sale = await deal(shop, "disputed");
    const { disputes, ...intent } = await shop.deps.cards.findIntent(sale.intent);
    const smaller = disputes.map((one) => ({ ...one, amountCents: 50_000 }));
    await settlePayment(shop.deps, { ...intent, disputes: smaller }, "webhook");
    expect(await sale.dispute(admin)).toMatchObject({ state: "open", amount: 500 });
    await shop.cards.answerDispute(sale.intent, "undecided_evidence");
    await shop.cards.injectFaults({});
    const inReview = { state: "open", respondBy: null, amount: 640 };
    await expect.poll(() => sale.dispute(admin)).toMatchObject(inReview);
    expect((await auditOf(admin, sale)).map(({ verb }) => verb)).toEqual(["openDispute"]);
    const { payments } = await sale.buyer.call(readOwnData, {});
    expect(payments).toMatchObject([{ disputes: [await sale.dispute(admin)] }]);
    await waitForMailAbout(shop, sale.seller.email, /laptop is disputed$/);
    const subjects = (await mailsTo(shop, sale.seller.email)).map(({ subject }) => subject);
    expect(subjects.filter((subject) => subject.includes("disputed"))).toHaveLength(1);
  });

  test("a lost dispute leaves the seller with nothing, even if events arrive out of order", async ({
    shop,
    admin,
  }) => {
    await shop.cards.injectFaults(withoutWebhooks);
    const sale = await deal(shop, "charged", { paidBy: "pm_card_createDispute" });
    await shop.cards.answerDispute(sale.intent, "losing_evidence");
    await shop.cards.injectFaults({ webhook: { newestFirst: true, copies: 3 } });
    await expect.poll(() => sale.dispute(admin)).toMatchObject({ state: "lost" });
    await waitForMailAbout(shop, sale.seller.email, /^The bank gave back the payment/);
    await reconcile(shop.deps);
    expect(await canBePaidOut(sale)).toBe(true);
    expect(await sale.money()).toEqual({});
    expect(await sale.settlement()).toMatchObject({ state: "refunded" });
    expect(await auditOf(admin, sale)).toMatchObject([
      { verb: "closeDispute", detail: { outcome: "lost", reason: "fraudulent" } },
    ]);
    const subjects = (await mailsTo(shop, sale.seller.email)).map(({ subject }) => subject);
    expect(subjects.filter((subject) => /bank|disputed/.test(subject))).toHaveLength(1);
  });

  test("a dispute lost before the handover cancels the sale and leaves nothing to refund, even if no webhook reports the outcome", async ({
    shop,
    admin,
  }) => {
    const sale = await deal(shop, "disputed");
    const { seller } = sale;
    await expect.poll(() => canBePaidOut(sale)).toBe(false);
    await shop.cards.injectFaults(withoutWebhooks);
    await shop.cards.answerDispute(sale.intent, "losing_evidence");
    await reconcile(shop.deps);
    const refund = { state: "refunded", amount: 640, toCard: false, dispute: "lost" };
    await expect.poll(() => sale.order()).toMatchObject({ state: "refunded", refund });
    const [product] = await seller.call(listSellerProducts, { params: { email: seller.email } });
    expect(product).toMatchObject({ sales_status: "available", deal: null });
    await sale.refresh();
    await reconcile(shop.deps);
    const entries = await sale.audit(admin);
    const verbs = entries.map(({ verb }) => verb);
    expect(verbs).toEqual(["settle", "openDispute", "closeDispute", "giveBack", "refund"]);
    expect(entries.at(-1)?.detail).toEqual({ paidBackBy: "bank" });
    const { refunds } = await shop.cards.ledger();
    expect(refunds.filter(({ payment_intent }) => payment_intent === sale.intent)).toEqual([]);
    const handover = sale.handOver();
    expect(await errorOf(handover)).toMatchObject({ status: 409, code: "STALE" });
    for (const { id } of [seller, sale.buyer]) await admin.call(deleteUser, { params: { id } });
  });
});

describe("an inquiry from the buyer's bank", () => {
  const paidBy = "pm_card_createDisputeInquiry";

  test("an event about a dispute that doesn't exist changes nothing, and the seller can be paid after the bank closes its inquiry", async ({
    shop,
    admin,
  }) => {
    const sale = await deal(shop, "paid", { paidBy });
    await expect.poll(() => canBePaidOut(sale)).toBe(false);
    expect(await sendForgedDispute(sale)).toBe(200);
    await sale.refresh();
    expect(await sale.dispute(admin)).toMatchObject({ state: "inquiry", amount: 640 });
    await sale.decideDispute("winning_evidence");
    expect(await sale.dispute(admin)).toMatchObject({ state: "won" });
    expect(await canBePaidOut(sale)).toBe(true);
    await waitForMailAbout(shop, sale.seller.email, /laptop stands$/);
  });

  test("a bank's inquiry puts the payout on hold, and ends when an admin refunds the payment", async ({
    shop,
    admin,
  }) => {
    const sale = await deal(shop, "paid", { paidBy });
    await expect
      .poll(() => sale.dispute(admin))
      .toMatchObject({ state: "inquiry", closedAt: null });
    expect((await sale.dispute(admin))?.respondBy).not.toBeNull();
    expect(await canBePaidOut(sale)).toBe(false);
    expect(await auditOf(admin, sale)).toEqual([]);
    const email = await waitForMailAbout(
      shop,
      sale.seller.email,
      /^The bank asks about the payment/,
    );
    expect(email.text).toContain("No money was taken back");
    await sale.refund(admin);
    const refund = { state: "refunded", toCard: true, dispute: "won" };
    await expect.poll(() => sale.order()).toMatchObject({ state: "refunded", refund });
    expect(await canBePaidOut(sale)).toBe(true);
    await waitForMailAbout(shop, sale.buyer.email, /^Your refund of \$640/);
  });

  test("admins can decide a complaint during a bank's inquiry", async ({ shop, admin }) => {
    const sale = await deal(shop, "complained", { paidBy });
    await expect.poll(() => sale.dispute(admin)).toMatchObject({ state: "inquiry" });
    await sale.decide(admin, 640);
    const refund = { state: "refunded", dispute: "won" };
    await expect.poll(() => sale.order()).toMatchObject({ state: "completed", refund });
    await waitForMailAbout(shop, sale.buyer.email, /^Your refund of \$640/);
    const subjects = (await mailsTo(shop, sale.seller.email)).map(({ subject }) => subject);
    expect(subjects.filter((one) => /stands/.test(one))).toEqual([]);
  });

  test("a late report can't turn a dispute back into an inquiry, and refunding the disputed payment fails with STALE", async ({
    shop,
    admin,
  }) => {
    await shop.cards.injectFaults(withoutWebhooks);
    const sale = await deal(shop, "paid", { paidBy });
    const asked = await shop.deps.cards.findIntent(sale.intent);
    const disputes = asked.disputes.map((one) => ({ ...one, state: "open" as const }));
    await settlePayment(shop.deps, { ...asked, disputes }, "webhook");
    await settlePayment(shop.deps, asked, "webhook");
    expect(await sale.dispute(admin)).toMatchObject({ state: "open" });
    expect(await errorOf(sale.refund(admin))).toMatchObject({ status: 409, code: "STALE" });
    await waitForMailAbout(shop, sale.seller.email, /laptop is disputed$/);
  });
});

/** Reports a dispute that doesn't exist at the provider. Returns the status of the response. */
async function sendForgedDispute({ shop, intent }: Sale): Promise<number> {
  const object = { id: "du_forged", object: "dispute", payment_intent: intent, amount: 1 };
  const event = { id: "evt_dispute", type: "charge.dispute.created", data: { object } };
  const payload = JSON.stringify(event);
  const secret = sandboxKeys.webhookSecret;
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret });
  const headers = { "content-type": "application/json", "stripe-signature": signature };
  const url = `${shop.url}/api/webhooks/stripe`;
  return (await fetch(url, { method: "POST", headers, body: payload })).status;
}
