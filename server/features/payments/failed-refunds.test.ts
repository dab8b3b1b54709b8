import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { listAuditLog } from "#contract/audit.ts";
import { listPayments, refundBooking, settleRefund } from "#contract/payments.ts";
import { paymentsFor, readOrder } from "../../testing/deals.ts";
import { dealTest } from "../../testing/fixtures.ts";
import { mailsTo, waitForMailAbout } from "../../testing/inbox.ts";
import { type Deal, refund, sendRecordPayment } from "../../testing/marketplace.ts";
import { createMember, errorOf } from "../../testing/people.ts";
import type { Shop } from "../../testing/shop.ts";
import { refundPayment } from "../booking-lifecycle/refunds.ts";
import { reconcile } from "./reconcile.ts";
import { settleIntent } from "./webhook.ts";

const test = dealTest({ worker: true });

const refundsOf = async (shop: Shop, deal: Deal) => {
  const [payment] = await paymentsFor(shop, deal);
  return { state: payment?.state, failures: payment?.failed_refunds };
};

const aDay = 24 * 60;

test("a refund that fails at the bank is tried again twice, then handed to an admin, who can try again", async ({
  shop,
  cards,
  admin,
  buyer,
  deal,
}) => {
  await cards.pay(deal.intent, "pm_card_refundFail");
  await sendRecordPayment(deal);
  await refund(admin, deal.booking);
  const current = () => refundsOf(shop, deal);
  const sent = async () =>
    (await cards.ledger()).refunds.filter(({ payment_intent }) => payment_intent === deal.intent);
  await expect.poll(current).toEqual({ state: "refund_due", failures: 1 });
  await reconcile(shop.deps);
  expect(await sent()).toHaveLength(1);
  shop.clock.advance(61);
  await reconcile(shop.deps);
  await expect.poll(current).toEqual({ state: "refund_due", failures: 2 });
  shop.clock.advance(aDay + 1);
  await reconcile(shop.deps);
  await expect.poll(current).toEqual({ state: "refund_failed", failures: 3 });
  expect(await sent()).toHaveLength(3);

  const find = { query: { search: deal.intent } };
  expect(await admin.call(listPayments, find)).toMatchObject([
    { state: "refund_failed", failedRefunds: 3, refundedAt: null },
  ]);
  expect(await readOrder(deal)).toMatchObject({ refund: { state: "refund_failed", amount: 640 } });
  const [payment] = await paymentsFor(shop, deal);
  const audit = () => admin.call(listAuditLog, { query: { objectId: payment?.id } });
  expect((await audit()).map(({ verb }) => verb).reverse()).toEqual([
    ...["settle", "giveBack", "refund", "failRefund", "refund", "failRefund"],
    ...["refund", "failRefund", "giveUpRefund"],
  ]);
  expect((await audit())[0]?.detail).toEqual({
    reason: "expired_or_canceled_card",
    toDo: expect.stringContaining("ask the buyer"),
  });
  await waitForMailAbout(shop, buyer.email, /^Your bank sent back your refund of \$640$/);
  await waitForMailAbout(shop, admin.email, /^A \$640 refund failed/);
  const subjects = async () => (await mailsTo(shop, buyer.email)).map(({ subject }) => subject);
  expect((await subjects()).filter((one) => one.includes("on its way"))).toHaveLength(1);

  await admin.call(refundBooking, { body: { bookingId: deal.booking } });
  await expect.poll(async () => (await sent()).length).toBe(4);
  await expect.poll(current).toEqual({ state: "refund_failed", failures: 4 });

  const settle = () => admin.call(settleRefund, { body: { bookingId: deal.booking } });
  await settle();
  const done = { state: "refunded", amount: 640, toCard: false };
  expect(await readOrder(deal)).toMatchObject({ refund: done });
  expect((await audit())[0]).toMatchObject({ verb: "settleRefund", actor: { _id: admin.id } });
  expect(await errorOf(settle())).toMatchObject({ status: 409, code: "STALE" });
  await settleIntent(shop.deps, deal.intent);
  await reconcile(shop.deps);
  expect(await readOrder(deal)).toMatchObject({ refund: done });
  expect(await sent()).toHaveLength(4);
});

test("a refund that has not failed can't be marked as sent in another way", async ({
  admin,
  pay,
  deal,
}) => {
  await pay(deal);
  const body = { bookingId: deal.booking };
  const refused = await errorOf(admin.call(settleRefund, { body }));
  expect(refused).toMatchObject({ status: 409, code: "STALE" });
  expect(await readOrder(deal)).toMatchObject({ state: "paid", refund: null });
  const unknown = admin.call(settleRefund, { body: { bookingId: randomUUID() } });
  expect(await errorOf(unknown)).toMatchObject({ status: 404 });
});

test("a failure that is reported twice counts once", async ({
  shop,
  cards,
  admin,
  deal,
  holdWebhooks,
}) => {
  await cards.pay(deal.intent, "pm_card_refundFail");
  await sendRecordPayment(deal);
  await holdWebhooks();
  await refund(admin, deal.booking);
  const failed = async () =>
    (await cards.ledger()).refunds.some(
      ({ payment_intent, status }) => payment_intent === deal.intent && status === "failed",
    );
  await expect.poll(failed).toBe(true);
  await Promise.all([1, 2, 3].map(() => settleIntent(shop.deps, deal.intent)));
  await settleIntent(shop.deps, deal.intent);
  expect(await refundsOf(shop, deal)).toEqual({ state: "refund_due", failures: 1 });
});

test("a refund that failed before it was recorded is noticed", async ({
  shop,
  cards,
  admin,
  dealWithoutWebhooks: deal,
}) => {
  await cards.pay(deal.intent, "pm_card_refundFail");
  await sendRecordPayment(deal);
  // As of a process that died between the provider's answer and its own transaction.
  const { id } = await refundAtProvider(shop, deal);
  const ledger = async () => (await cards.ledger()).refunds.find((one) => one.id === id)?.status;
  await expect.poll(ledger).toBe("failed");
  await refund(admin, deal.booking);
  await expect.poll(() => refundsOf(shop, deal)).toEqual({ state: "refund_due", failures: 1 });
});

async function refundAtProvider({ deps }: Shop, { intent }: Deal): Promise<{ id: string }> {
  const answer = await deps.cards.refund({ intentId: intent, attempt: 1 });
  if ("refused" in answer) throw new Error(answer.refused);
  return answer;
}

test("a refund that the bank confirms later stays refunded", async ({
  shop,
  cards,
  admin,
  deal,
}) => {
  await cards.pay(deal.intent, "pm_card_pendingRefund");
  await sendRecordPayment(deal);
  await refund(admin, deal.booking);
  const sent = async () =>
    (await cards.ledger()).refunds.find(({ payment_intent }) => payment_intent === deal.intent);
  await expect.poll(sent).toMatchObject({ status: "succeeded" });
  await settleIntent(shop.deps, deal.intent);
  expect(await refundsOf(shop, deal)).toEqual({ state: "refunded", failures: 0 });
});

test("a refund in the provider's dashboard whose webhook never arrives is found by the reconciling job", async ({
  shop,
  cards,
  buyer,
  dealWithoutWebhooks: deal,
  hold,
}) => {
  for (const [at, paid] of [deal, await hold()].entries()) {
    await cards.pay(paid.intent);
    await sendRecordPayment(paid);
    await cards.refund(paid.intent);
    // The second time from where the first one ended.
    await reconcile(shop.deps);
    await expect
      .poll(() => readOrder(paid))
      .toMatchObject({ state: "refunded", refund: { state: "refunded" } });
    const mails = async () => {
      const all = await mailsTo(shop, buyer.email);
      return all.filter(({ subject }) => subject.includes("on its way")).length;
    };
    await expect.poll(mails).toBe(at + 1);
  }
});

test("a refund that was given up is closed by one in the provider's dashboard", async ({
  shop,
  cards,
  pay,
  deal,
}) => {
  await pay(deal);
  const admin = await createMember(shop, { isAdmin: true });
  await cards.refund(deal.intent);
  await expect.poll(() => readOrder(deal)).toMatchObject({ refund: { state: "refunded" } });
  // As if the bank had sent back earlier ones.
  for (const state of ["refund_due", "refund_failed"] as const)
    await shop.deps.db
      .updateTable("payments")
      .set({ state, refund_id: null, refunded_at: null, failed_refunds: 3 })
      .where("booking_id", "=", deal.booking)
      .execute();
  const [payment] = await paymentsFor(shop, deal);
  await settleIntent(shop.deps, deal.intent);
  if (payment) await refundPayment(shop.deps, payment.id);
  expect(await refundsOf(shop, deal)).toEqual({ state: "refunded", failures: 3 });
  const [newest] = await admin.call(listPayments, { query: { search: deal.intent } });
  expect(newest?.refundedAt).not.toBeNull();
});
