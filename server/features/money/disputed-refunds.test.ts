import { describe, expect } from "vitest";
import { listSellerProducts } from "#contract/products.ts";
import { deal } from "../../testing/deal.ts";
import { dealTest, withoutWebhooks } from "../../testing/fixtures.ts";
import { mailsTo, waitForMailAbout } from "../../testing/inbox.ts";
import { errorOf } from "../../testing/people.ts";
import { endHoldWithoutProvider } from "../../testing/settlements.ts";
import { settlePayment } from "./settle-payment.ts";

const test = dealTest({ worker: true });

describe("a refund of a disputed payment", () => {
  test("a refund of a disputed payment waits for the decision, and is sent if the bank decides for the shop", async ({
    shop,
    admin,
  }) => {
    await shop.cards.injectFaults(withoutWebhooks);
    const sale = await deal(shop, "charged", { paidBy: "pm_card_createDispute" });
    const intent = await shop.deps.cards.findIntent(sale.intent);
    await settlePayment(shop.deps, { ...intent, disputes: [] }, "webhook");
    await sale.refund(admin);
    await expect.poll(() => sale.dispute(admin)).toMatchObject({ state: "open" });
    const disputedRefund = { state: "refund_due", dispute: "open" };
    expect(await sale.order()).toMatchObject({ refund: disputedRefund });
    const message = expect.stringContaining("their bank decides about the money");
    const refused = { status: 409, code: "STALE", message };
    expect(await errorOf(sale.sendAnotherWay(admin))).toMatchObject(refused);
    expect(await sale.order()).toMatchObject({ refund: disputedRefund });
    await sale.decideDispute("winning_evidence");
    const refund = { state: "refunded", toCard: true, dispute: "won" };
    await expect.poll(() => sale.order()).toMatchObject({ refund });
    const { refunds } = await shop.cards.ledger();
    expect(refunds.filter(({ payment_intent }) => payment_intent === sale.intent)).toHaveLength(1);
  });

  test("after a lost dispute has canceled the sale, the shop refunds the buyer if the bank reverses its decision", async ({
    shop,
    admin,
  }) => {
    await shop.cards.injectFaults(withoutWebhooks);
    const sale = await deal(shop, "disputed");
    await sale.decideDispute("losing_evidence");
    const refund = { state: "refunded", toCard: false, dispute: "lost" };
    expect(await sale.order()).toMatchObject({ state: "refunded", refund });
    await sale.flipDispute();
    const again = { state: "refunded", toCard: true, dispute: "won" };
    await expect.poll(() => sale.order()).toMatchObject({ refund: again });
    const verbs = (await sale.audit(admin)).map(({ verb }) => verb);
    expect(verbs.slice(-3)).toEqual(["closeDispute", "reopenRefund", "refund"]);
  });

  test("after a lost dispute about a late payment, the bank, not the shop, returns the money", async ({
    shop,
    admin,
  }) => {
    await shop.cards.injectFaults(withoutWebhooks);
    const sale = await deal(shop, "charged", { paidBy: "pm_card_createDispute" });
    await endHoldWithoutProvider(shop, sale, "expired");
    await deal(shop, "held", sale.laptop);
    await sale.refresh();
    await expect.poll(() => sale.dispute(admin)).toMatchObject({ state: "open" });
    expect(await sale.payments()).toMatchObject([{ state: "refund_due", given_up_at: null }]);
    const subjects = (await mailsTo(shop, sale.buyer.email)).map(({ subject }) => subject);
    expect(subjects.filter((subject) => subject.includes("refund"))).toEqual([]);
    await sale.decideDispute("losing_evidence");
    const refund = { state: "refunded", toCard: false, dispute: "lost" };
    expect(await sale.order()).toMatchObject({ state: "expired", refund });
  });
});

describe("a lost dispute about part of the payment", () => {
  const card = "pm_card_createPartialDispute";

  test("after a lost dispute about part of the payment, an admin can cancel the sale and refund the rest by other means", async ({
    shop,
    admin,
  }) => {
    const sale = await deal(shop, "disputed", { paidBy: card });
    await shop.cards.answerDispute(sale.intent, "losing_evidence");
    await expect.poll(() => sale.dispute(admin)).toMatchObject({ state: "lost", amount: 160 });
    expect(await sale.order()).toMatchObject({ state: "paid", refund: null });

    await sale.refund(admin);
    await expect
      .poll(() => sale.payment(admin))
      .toMatchObject({
        state: "refund_failed",
        price: 640,
        fromBank: 160,
      });
    const [product] = await sale.seller.call(listSellerProducts, {
      params: { email: sale.seller.email },
    });
    expect(product).toMatchObject({ sales_status: "available", deal: null });
    expect((await sale.audit(admin)).at(-1)).toMatchObject({
      verb: "giveUpRefund",
      detail: { reason: "partly_disputed", toDo: expect.stringContaining("has not given back") },
    });
    const email = await waitForMailAbout(shop, sale.buyer.email, /^We owe you \$480$/);
    expect(email.text).toContain("another way to send you the money");

    const message = expect.stringMatching(/has given back \$160 .* press Sent another way\.$/);
    const retried = await errorOf(sale.refund(admin));
    expect(retried).toMatchObject({ status: 409, code: "STALE", message });
    await sale.sendAnotherWay(admin);
    const refund = { state: "refunded", amount: 640, fromBank: 160, toCard: false };
    expect(await sale.order()).toMatchObject({ state: "refunded", refund });
    const [entry, ...later] = (await sale.audit(admin)).filter(
      ({ verb }) => verb === "settleRefund",
    );
    expect(later).toEqual([]);
    expect(entry).toMatchObject({
      actor: { _id: admin.id },
      detail: { sentCents: 48_000, fromBankCents: 16_000 },
    });
    await sale.refresh();
    expect(await sale.order()).toMatchObject({ refund });
    const du = expect.stringMatching(/^du_/);
    expect((await sale.journals()).slice(1)).toEqual([
      ["dispute_withdrawn", du, { stripe_clearing: -16_000, dispute_reserve: 16_000 }],
      ["dispute_lost", du, { deal_held: 16_000, dispute_reserve: -16_000 }],
      ["refund_decided", null, { deal_held: 48_000, buyer_payable: -48_000 }],
      ["refund_sent", null, { buyer_payable: 48_000, shop_bank: -48_000 }],
    ]);
    const { refunds } = await shop.cards.ledger();
    expect(refunds.filter(({ payment_intent }) => payment_intent === sale.intent)).toEqual([]);
  });

  test("admins can't mark a refund as sent by other means while a dispute about part of the payment is open", async ({
    shop,
    admin,
  }) => {
    await shop.cards.injectFaults(withoutWebhooks);
    const sale = await deal(shop, "charged", { paidBy: card });
    const intent = await shop.deps.cards.findIntent(sale.intent);
    await settlePayment(shop.deps, { ...intent, disputes: [] }, "webhook");
    await sale.refund(admin);
    await expect.poll(() => sale.dispute(admin)).toMatchObject({ state: "open" });
    const open = await errorOf(sale.sendAnotherWay(admin));
    expect(open).toMatchObject({ status: 409, code: "STALE" });
    await sale.decideDispute("losing_evidence");
    const failed = { state: "refund_failed", price: 640, unsent: 480 };
    await expect.poll(() => sale.payment(admin)).toMatchObject(failed);
    await sale.sendAnotherWay(admin);
    expect(await sale.order()).toMatchObject({ refund: { state: "refunded", fromBank: 160 } });

    // Once the bank reverses its decision, the shop refunds the disputed part to the card.
    await sale.flipDispute();
    const settled = { state: "refunded", fromBank: 0, sent: 480, toCard: true };
    await expect.poll(() => sale.order()).toMatchObject({ refund: settled });
    expect(await sale.money()).toEqual({ refunded: 64_000 });
    await sale.refresh();
    expect(await sale.refunds()).toMatchObject([{ state: "made", cents: 16_000 }]);
  });
});

describe("a partial refund made at the provider, when the remaining money goes back another way", () => {
  const part = 10_000;
  const rest = 54_000;

  test("after a partial refund made at the provider, the shop owes only the rest, even if the card can't be refunded", async ({
    shop,
    admin,
  }) => {
    await shop.cards.injectFaults(withoutWebhooks);
    const sale = await deal(shop, "paid");
    await sale.refundElsewhere(part);
    const answer = { status: 400, code: "charge_already_refunded" };
    const failNext = { method: "POST", path: "/v1/refunds", ...answer };
    await shop.cards.injectFaults({ failNext, ...withoutWebhooks });
    await sale.refund(admin);
    const failed = { state: "refund_failed", unsent: 540 };
    await expect.poll(() => sale.payment(admin)).toMatchObject(failed);
    await sale.sendAnotherWay(admin);
    expect(await sale.money()).toEqual({ refunded: part + rest });
  });

  test("a partial refund made at the provider is owed again if it fails after a lost dispute about the rest of the payment", async ({
    shop,
    admin,
  }) => {
    await shop.cards.injectFaults(withoutWebhooks);
    const sale = await deal(shop, "paid");
    await shop.cards.refund(sale.intent, part);
    await shop.cards.openDispute(sale.intent, rest);
    await sale.decideDispute("losing_evidence");
    expect(await sale.order()).toMatchObject({ state: "refunded" });
    await sale.returnRefund();
    for (let again = 0; again < 2; again += 1) await sale.refresh();
    const failed = { state: "refund_failed", unsent: 100 };
    await expect.poll(() => sale.payment(admin)).toMatchObject(failed);
    await sale.sendAnotherWay(admin);
    expect(await sale.payment(admin)).toMatchObject({ state: "refunded", unsent: 0 });
    expect(await sale.money()).toEqual({ refunded: part });
  });
});
