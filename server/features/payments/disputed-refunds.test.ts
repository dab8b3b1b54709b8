import { describe, expect } from "vitest";
import { refundBooking, settleRefund } from "#contract/payments.ts";
import { listSellerProducts } from "#contract/products.ts";
import { endHoldWithoutProvider, paymentsFor, readOrder } from "../../testing/deals.ts";
import {
  disputeOf,
  disputeTest,
  findPayment,
  payAndDispute,
  paymentAudit,
} from "../../testing/disputes.ts";
import { mailsTo, waitForMailAbout } from "../../testing/inbox.ts";
import { createMember, errorOf } from "../../testing/people.ts";
import { moneyOf } from "../../testing/settlements.ts";
import { settlePayment } from "../booking-lifecycle/settle-payment.ts";
import { settleIntent } from "./webhook.ts";

const test = disputeTest();

describe("a refund of a disputed payment", () => {
  test("is refused at first, and made when the bank lets the payment stand", async ({
    shop,
    cards,
    admin,
    dealWithoutWebhooks: deal,
  }) => {
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

  test("is due when a lost dispute is won after all, because the sale was cancelled", async ({
    shop,
    cards,
    admin,
    disputedDeal: deal,
  }) => {
    await cards.answerDispute(deal.intent, "losing_evidence");
    await expect.poll(() => readOrder(deal)).toMatchObject({ state: "refunded" });
    const intent = await shop.deps.cards.findIntent(deal.intent);
    const disputes = intent.disputes.map((one) => ({ ...one, state: "won" as const }));
    await settlePayment(shop.deps, { ...intent, disputes }, "webhook");
    const verbs = async () => (await paymentAudit(admin, deal)).map(({ verb }) => verb);
    // The sandbox has not changed its mind: it refuses the refund.
    await expect
      .poll(async () => (await verbs()).slice(-4))
      .toEqual(["failRefund", "giveUpRefund", "closeDispute", "settleRefund"]);
  });

  test("that arrived too late is left to the bank, and handed to an admin", async ({
    shop,
    cards,
    admin,
    buyer,
    hold,
    dealWithoutWebhooks: deal,
  }) => {
    await cards.pay(deal.intent, "pm_card_createDispute");
    await endHoldWithoutProvider(shop, deal, "expired");
    await hold(await createMember(shop), deal.product);
    await settleIntent(shop.deps, deal.intent);
    await expect
      .poll(() => paymentsFor(shop, deal))
      .toMatchObject([{ state: "refund_failed", refund_id: null }]);
    expect((await paymentAudit(admin, deal)).at(-1)).toMatchObject({
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

describe("a dispute about a part of the payment that is lost", () => {
  const card = "pm_card_createPartialDispute";

  test("leaves the sale as it is, until an admin cancels it and sends the rest in another way", async ({
    shop,
    cards,
    admin,
    seller,
    buyer,
    deal,
  }) => {
    await payAndDispute(cards, deal, card);
    await cards.answerDispute(deal.intent, "losing_evidence");
    await expect.poll(() => disputeOf(admin, deal)).toMatchObject({ state: "lost", amount: 160 });
    expect(await readOrder(deal)).toMatchObject({ state: "paid", refund: null });

    const body = { bookingId: deal.booking };
    await admin.call(refundBooking, { body });
    await expect
      .poll(() => findPayment(admin, deal))
      .toMatchObject({
        ...{ state: "refund_failed", price: 640, fromBank: 160 },
      });
    const [product] = await seller.call(listSellerProducts, { params: { email: seller.email } });
    expect(product).toMatchObject({ sales_status: "available", deal: null });
    expect((await paymentAudit(admin, deal)).at(-1)).toMatchObject({
      verb: "giveUpRefund",
      detail: { reason: "partly_disputed", toDo: expect.stringContaining("has not given back") },
    });
    const email = await waitForMailAbout(shop, buyer.email, /^We owe you \$480$/);
    expect(email.text).toContain("another way to send you the money");

    const message = expect.stringMatching(/has given back \$160 .* press Sent another way\.$/);
    const retried = await errorOf(admin.call(refundBooking, { body }));
    expect(retried).toMatchObject({ status: 409, code: "STALE", message });
    await admin.call(settleRefund, { body });
    const refund = { state: "refunded", amount: 640, fromBank: 160, toCard: false };
    expect(await readOrder(deal)).toMatchObject({ state: "refunded", refund });
    const [entry, ...later] = (await paymentAudit(admin, deal)).filter(
      ({ verb }) => verb === "settleRefund",
    );
    expect(later).toEqual([]);
    expect(entry).toMatchObject({
      actor: { _id: admin.id },
      detail: { sentCents: 48_000, fromBankCents: 16_000 },
    });
    await settleIntent(shop.deps, deal.intent);
    expect(await readOrder(deal)).toMatchObject({ refund });
    const { refunds } = await cards.ledger();
    expect(refunds.filter(({ payment_intent }) => payment_intent === deal.intent)).toEqual([]);
  });

  test("is waited for before an admin may do anything about a refund that failed", async ({
    shop,
    cards,
    admin,
    buyer,
    dealWithoutWebhooks: deal,
  }) => {
    await cards.pay(deal.intent, card);
    const { disputes, ...intent } = await shop.deps.cards.findIntent(deal.intent);
    await settlePayment(shop.deps, { ...intent, disputes: [] }, "webhook");
    const body = { bookingId: deal.booking };
    await admin.call(refundBooking, { body });
    await expect.poll(() => disputeOf(admin, deal)).toMatchObject({ state: "open" });
    const open = await errorOf(admin.call(settleRefund, { body }));
    expect(open).toMatchObject({ status: 409, code: "STALE" });
    await cards.answerDispute(deal.intent, "losing_evidence");
    await settleIntent(shop.deps, deal.intent);
    await admin.call(settleRefund, { body });
    expect(await readOrder(deal)).toMatchObject({ refund: { state: "refunded", fromBank: 160 } });

    const reversed = disputes.map((one) => ({ ...one, state: "won" as const }));
    await settlePayment(shop.deps, { ...intent, disputes: reversed }, "webhook");
    const owed = { state: "refund_failed", fromBank: 0, sent: 480 };
    await expect.poll(() => findPayment(admin, deal)).toMatchObject({ ...owed, price: 640 });
    const refund = { ...owed, amount: 640, refundedAt: null, dispute: "won" };
    expect(await readOrder(deal)).toMatchObject({ refund });
    const email = await waitForMailAbout(shop, buyer.email, /^We owe you \$160$/);
    expect(email.text).toContain("Your bank has changed its decision");
    expect(
      (await paymentAudit(admin, deal)).find(({ verb }) => verb === "failRefund"),
    ).toBeTruthy();
    expect(
      (await paymentAudit(admin, deal)).findLast(({ verb }) => verb === "giveUpRefund")?.detail,
    ).toEqual({
      reason: "partly_sent",
      toDo: expect.stringContaining("send the rest"),
    });

    const retried = await errorOf(admin.call(refundBooking, { body }));
    const message = expect.stringMatching(/^You have sent \$480 .* press Sent another way\.$/);
    expect(retried).toMatchObject({ status: 409, code: "STALE", message });
    await admin.call(settleRefund, { body });
    const settled = { state: "refunded", fromBank: 0, sent: 640, toCard: false };
    expect(await readOrder(deal)).toMatchObject({ refund: settled });
    expect((await paymentAudit(admin, deal)).at(-1)).toMatchObject({
      verb: "settleRefund",
      detail: { sentCents: 16_000, fromBankCents: 0, sentBeforeCents: 48_000 },
    });
    await settlePayment(shop.deps, { ...intent, disputes: reversed }, "webhook");
    expect(await readOrder(deal)).toMatchObject({ refund: settled });
  });
});

describe("a refund of the dashboard beside the refund of the rest", () => {
  const part = 10_000;
  const rest = 54_000;

  test("is not sent to the buyer again if the rest can't go to the card", async ({
    shop,
    cards,
    admin,
    pay,
    dealWithoutWebhooks: deal,
  }) => {
    await pay(deal);
    await cards.refund(deal.intent, part);
    await settleIntent(shop.deps, deal.intent);
    const answer = { status: 400, code: "charge_disputed" };
    const failNext = { method: "POST", path: "/v1/refunds", ...answer };
    await cards.injectFaults({ failNext, webhook: { hold: true } });
    const body = { bookingId: deal.booking };
    await admin.call(refundBooking, { body });
    const failed = { state: "refund_failed", unsent: 540 };
    await expect.poll(() => findPayment(admin, deal)).toMatchObject(failed);
    await admin.call(settleRefund, { body });
    expect(await moneyOf(shop, deal)).toEqual({ refunded: part + rest });
  });

  test("is due again if it fails once a lost dispute has paid back the rest", async ({
    shop,
    cards,
    admin,
    pay,
    dealWithoutWebhooks: deal,
  }) => {
    await pay(deal);
    await cards.refund(deal.intent, part);
    await cards.openDispute(deal.intent, rest);
    await cards.answerDispute(deal.intent, "losing_evidence");
    await settleIntent(shop.deps, deal.intent);
    expect(await readOrder(deal)).toMatchObject({ state: "refunded" });
    const { refunds } = await shop.deps.cards.findIntent(deal.intent);
    await cards.failRefund(refunds[0]?.id ?? "");
    for (let again = 0; again < 2; again += 1) await settleIntent(shop.deps, deal.intent);
    const failed = { state: "refund_failed", unsent: 100 };
    await expect.poll(() => findPayment(admin, deal)).toMatchObject(failed);
    await admin.call(settleRefund, { body: { bookingId: deal.booking } });
    expect(await findPayment(admin, deal)).toMatchObject({ state: "refunded", unsent: 0 });
    expect(await moneyOf(shop, deal)).toEqual({ refunded: part });
  });
});
