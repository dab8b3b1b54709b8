import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { listAuditLog } from "#contract/audit.ts";
import { deleteUser } from "#contract/members.ts";
import { settleRefund } from "#contract/refunds.ts";
import type { Sale } from "../../testing/deal.ts";
import { deal } from "../../testing/deal.ts";
import { dealTest, withoutWebhooks } from "../../testing/fixtures.ts";
import { mailsTo, waitForMailAbout } from "../../testing/inbox.ts";
import { errorOf } from "../../testing/people.ts";
import { reconcile } from "./reconcile.ts";
import { settleDeals } from "./settle-deals.ts";

const test = dealTest({ worker: true });

const refundsOf = async (sale: Sale) => {
  const [payment] = await sale.payments();
  const failed = (await sale.refunds()).filter(({ state }) => state === "failed");
  return { state: payment?.state, failures: failed.length };
};

const refundsSent = async ({ cards, intent }: Sale) =>
  (await cards.ledger()).refunds.filter(({ payment_intent }) => payment_intent === intent);

const refundMails = async ({ shop, buyer }: Sale) =>
  (await mailsTo(shop, buyer.email))
    .map(({ subject }) => subject)
    .filter((subject) => subject.includes("refund"));

const aDay = 24 * 60;

test("a refund that fails at the bank is retried twice, then handed to an admin to retry or send by other means", async ({
  shop,
  admin,
}) => {
  const sale = await deal(shop, "paid", { paidBy: "pm_card_refundFail" });
  const tooEarly = await errorOf(sale.sendAnotherWay(admin));
  expect(tooEarly).toMatchObject({ status: 409, code: "STALE" });
  expect(await sale.order()).toMatchObject({ state: "paid", refund: null });
  const unknown = admin.call(settleRefund, { body: { paymentId: randomUUID() } });
  expect(await errorOf(unknown)).toMatchObject({ status: 404 });
  await sale.refund(admin);
  const current = () => refundsOf(sale);
  const sent = () => refundsSent(sale);
  await expect.poll(current).toEqual({ state: "refund_due", failures: 1 });
  await settleDeals(shop.deps);
  expect(await sent()).toHaveLength(1);
  shop.clock.advance(61);
  await settleDeals(shop.deps);
  await expect.poll(current).toEqual({ state: "refund_due", failures: 2 });
  shop.clock.advance(aDay + 1);
  await settleDeals(shop.deps);
  await expect.poll(current).toEqual({ state: "refund_failed", failures: 3 });
  expect(await sent()).toHaveLength(3);

  expect(await sale.payment(admin)).toMatchObject({
    state: "refund_failed",
    failedRefunds: 3,
    refundedAt: null,
  });
  expect(await sale.order()).toMatchObject({ refund: { state: "refund_failed", amount: 640 } });
  const [payment] = await sale.payments();
  const audit = () => admin.call(listAuditLog, { query: { objectId: payment?.id } });
  expect((await audit()).map(({ verb }) => verb).reverse()).toEqual([
    "settle",
    "giveBack",
    "refund",
    "reopenRefund",
    "failRefund",
    "refund",
    "reopenRefund",
    "failRefund",
    "refund",
    "reopenRefund",
    "failRefund",
    "giveUpRefund",
  ]);
  expect((await audit())[0]?.detail).toEqual({
    reason: "expired_or_canceled_card",
    cents: 64_000,
    toDo: expect.stringContaining("ask the buyer"),
  });
  await waitForMailAbout(shop, sale.buyer.email, /^Your bank sent back your refund of \$640$/);
  const announced = (await refundMails(sale)).filter((one) => one.includes("on its way"));
  expect(announced).toHaveLength(1);

  await sale.refund(admin);
  await expect.poll(async () => (await sent()).length).toBe(4);
  await expect.poll(current).toEqual({ state: "refund_failed", failures: 4 });
  // Admins couldn't ask a deleted buyer where to send the money.
  const leave = admin.call(deleteUser, { params: { id: sale.buyer.id } });
  expect(await errorOf(leave)).toMatchObject({ status: 409, code: "IN_USE" });

  const settle = () => sale.sendAnotherWay(admin);
  await settle();
  expect((await sale.journals()).at(-1)).toEqual([
    "refund_sent",
    null,
    { buyer_payable: 64_000, shop_bank: -64_000 },
  ]);
  const done = { state: "refunded", amount: 640, toCard: false };
  expect(await sale.order()).toMatchObject({ refund: done });
  expect((await audit())[0]).toMatchObject({ verb: "settleRefund", actor: { _id: admin.id } });
  expect(await errorOf(settle())).toMatchObject({ status: 409, code: "STALE" });
  await sale.refresh();
  await settleDeals(shop.deps);
  expect(await sale.order()).toMatchObject({ refund: done });
  expect(await sent()).toHaveLength(4);
});

test("a failed refund whose response was lost counts as one failure, however often the provider reports it", async ({
  shop,
  admin,
}) => {
  const lost = { method: "POST", path: "/v1/refunds", status: "hangup", afterWork: true, times: 9 };
  await shop.cards.injectFaults({ failNext: lost, ...withoutWebhooks });
  const sale = await deal(shop, "paid", { paidBy: "pm_card_refundFail" });
  await sale.refund(admin);
  const sent = async () => (await refundsSent(sale)).map(({ status }) => status);
  await expect.poll(sent).toEqual(["failed"]);
  await Promise.all([1, 2, 3].map(() => sale.refresh()));
  await sale.refresh();
  expect(await refundsOf(sale)).toEqual({ state: "refund_due", failures: 1 });
  await settleDeals(shop.deps);
  expect(await sent()).toHaveLength(1);
});

test("a refund request that never arrived is closed after an admin refunds the whole payment at the provider", async ({
  shop,
  admin,
}) => {
  const lost = { method: "POST", path: "/v1/refunds", status: "hangup", times: 9 };
  await shop.cards.injectFaults({ failNext: lost, ...withoutWebhooks });
  const sale = await deal(shop, "paid");
  const payment = await sale.refund(admin);
  await expect.poll(() => sale.refunds()).toMatchObject([{ state: "intended" }]);
  // The job repeats the request, and must not do so after the fault is removed.
  const job = "select from graphile_worker._private_jobs where payload ->> 'paymentId' = $1";
  await expect.poll(async () => (await shop.pool.query(job, [payment])).rowCount).toBe(0);
  await shop.cards.injectFaults(withoutWebhooks);
  await shop.cards.refund(sale.intent);
  await sale.refresh();
  // The lost request may still arrive.
  expect(await refundsOf(sale)).toMatchObject({ state: "refund_due" });
  shop.clock.advance(11);
  await settleDeals(shop.deps);
  expect(await refundsOf(sale)).toEqual({ state: "refunded", failures: 0 });
  expect((await sale.refunds()).map(({ state }) => state)).toEqual(["refused", "made"]);
});

test("a refund that the bank hasn't confirmed stays due and is sent only once, and is retried if it fails", async ({
  shop,
  admin,
}) => {
  await shop.cards.injectFaults({ holdRefundOutcomes: true });
  const sale = await deal(shop, "paid", { paidBy: "pm_card_pendingRefund" });
  await sale.refund(admin);
  const sent = () => refundsSent(sale);
  await expect.poll(sent).toMatchObject([{ status: "pending" }]);
  await sale.refresh();
  for (const minutes of [1, 61]) {
    shop.clock.advance(minutes);
    await settleDeals(shop.deps);
  }
  const onItsWay = { state: "refund_due", refundedAt: null };
  expect(await sale.payment(admin)).toMatchObject(onItsWay);
  expect(await sale.order()).toMatchObject({ refund: onItsWay });
  expect(await sent()).toHaveLength(1);
  const [first] = await sent();
  await shop.cards.failRefund(first?.id ?? "");
  await expect.poll(() => refundsOf(sale)).toEqual({ state: "refund_due", failures: 1 });
  expect(await refundMails(sale)).toEqual([]);

  shop.clock.advance(61);
  await settleDeals(shop.deps);
  await expect.poll(sent).toMatchObject([{ status: "pending" }, { status: "failed" }]);
  await shop.cards.answerRefunds(sale.intent);
  await expect.poll(() => refundsOf(sale)).toEqual({ state: "refunded", failures: 1 });
  await sale.refresh();
  expect(await sent()).toHaveLength(2);
  expect((await sale.audit(admin)).filter(({ verb }) => verb === "refund")).toHaveLength(1);
  // The failed refund was never confirmed, so only the second refund is announced.
  await expect.poll(() => refundMails(sale)).toEqual(["Your refund of $640 is on its way"]);
});

test("the reconciling job finds a refund made at the provider whose webhook never arrives", async ({
  shop,
  buyer,
}) => {
  await shop.cards.injectFaults(withoutWebhooks);
  for (const at of [0, 1]) {
    const paid = await deal(shop, "paid", { buyer });
    await shop.cards.refund(paid.intent);
    // The second run uses the cursor that the first run stored.
    await reconcile(shop.deps);
    await expect
      .poll(() => paid.order())
      .toMatchObject({ state: "refunded", refund: { state: "refunded" } });
    const mails = async () => {
      const all = await mailsTo(shop, buyer.email);
      return all.filter(({ subject }) => subject.includes("on its way")).length;
    };
    await expect.poll(mails).toBe(at + 1);
  }
});

test("a refund that the provider rejected at first is announced to the buyer only when the bank confirms it", async ({
  shop,
  admin,
}) => {
  const failNext = { method: "POST", path: "/v1/refunds", status: 400 as const, times: 1 };
  await shop.cards.injectFaults({ holdRefundOutcomes: true, failNext });
  const sale = await deal(shop, "paid", { paidBy: "pm_card_pendingRefund" });
  await sale.refund(admin);
  const states = async () => (await sale.refunds()).map(({ state }) => state);
  await expect.poll(states).toEqual(["refused"]);
  shop.clock.advance(61);
  await settleDeals(shop.deps);
  await expect.poll(states).toEqual(["refused", "pending"]);
  expect(await refundMails(sale)).toEqual([]);
  await shop.cards.answerRefunds(sale.intent);
  await expect.poll(() => refundMails(sale)).toEqual(["Your refund of $640 is on its way"]);
  expect(await states()).toEqual(["refused", "made"]);
  expect(await refundsSent(sale)).toHaveLength(1);
});

test("after the shop gives up on a refund, the payment counts as refunded if an admin refunds it at the provider", async ({
  shop,
  admin,
}) => {
  await shop.cards.injectFaults(withoutWebhooks);
  const sale = await deal(shop, "paid");
  const failNext = { method: "POST", path: "/v1/refunds", status: 400 as const, times: 99 };
  await shop.cards.injectFaults({ ...withoutWebhooks, failNext });
  await sale.refund(admin);
  const refused = async () => (await sale.refunds()).filter(({ state }) => state === "refused");
  for (const [index, minutes] of [0, 61, aDay + 1].entries()) {
    shop.clock.advance(minutes);
    await sale.sendRefund();
    await expect.poll(refused).toHaveLength(index + 1);
  }
  expect(await sale.order()).toMatchObject({ refund: { state: "refund_failed" } });
  await shop.cards.injectFaults(withoutWebhooks);
  await sale.refundElsewhere();
  expect(await refundsOf(sale)).toEqual({ state: "refunded", failures: 0 });
  expect((await sale.payment(admin))?.refundedAt).not.toBeNull();
});
