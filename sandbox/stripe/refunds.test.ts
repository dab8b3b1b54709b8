import type Stripe from "stripe";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningSandbox, startSandbox, temporaryDataDir } from "#sandbox/testing/sandbox.ts";

let sandbox: RunningSandbox;
let stripe: Stripe;
const dataDir = await temporaryDataDir();

beforeAll(async () => {
  sandbox = await startSandbox(dataDir.path);
  stripe = sandbox.stripe;
});

afterAll(async () => {
  await sandbox.end("SIGTERM");
  await dataDir.remove();
});

async function paidIntent(amount: number): Promise<string> {
  const { id } = await stripe.paymentIntents.create({ amount, currency: "usd" });
  await stripe.paymentIntents.confirm(id, { payment_method: "pm_card_visa" });
  return id;
}

test("a payment can be refunded in parts, but never for more than was paid", async () => {
  const payment_intent = await paidIntent(10_000);
  await stripe.refunds.create({ payment_intent, amount: 4_000 });
  await expect(stripe.refunds.create({ payment_intent, amount: 6_001 })).rejects.toThrow(
    "Refund amount ($60.01) is greater than unrefunded amount on charge ($60.00)",
  );
  await stripe.refunds.create({ payment_intent });
  await expect(stripe.refunds.create({ payment_intent })).rejects.toMatchObject({
    code: "charge_already_refunded",
  });
  const { refunds } = await sandbox.ledger();
  expect(refunds.map(({ amount }) => amount)).toEqual([6_000, 4_000]);
});

test("twenty concurrent refund requests refund a payment only once", async () => {
  const payment_intent = await paidIntent(10_000);
  const all = Array.from({ length: 20 }, () => stripe.refunds.create({ payment_intent }));
  const outcomes = await Promise.allSettled(all);
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

test("a full refund ends the bank's inquiry, but a partial refund doesn't", async () => {
  const { id: payment_intent } = await stripe.paymentIntents.create({
    amount: 10_000,
    currency: "usd",
  });
  await stripe.paymentIntents.confirm(payment_intent, {
    payment_method: "pm_card_createDisputeInquiry",
  });
  const status = async () => (await stripe.disputes.list({ payment_intent })).data[0]?.status;
  await stripe.refunds.create({ payment_intent, amount: 4_000 });
  expect(await status()).toBe("warning_needs_response");
  await stripe.refunds.create({ payment_intent });
  expect(await status()).toBe("warning_closed");
});

test("an unpaid intent cannot be refunded", async () => {
  const { id } = await stripe.paymentIntents.create({ amount: 10_000, currency: "usd" });
  await expect(stripe.refunds.create({ payment_intent: id })).rejects.toThrow(
    "does not have a successful charge to refund",
  );
});
