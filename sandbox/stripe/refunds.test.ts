import { expect, test } from "vitest";
import { sandboxForFile } from "#sandbox/testing/sandbox.ts";

const { stripe } = await sandboxForFile();

async function paidIntent(payment_method: string): Promise<string> {
  const { id } = await stripe.paymentIntents.create({ amount: 10_000, currency: "usd" });
  await stripe.paymentIntents.confirm(id, { payment_method });
  return id;
}

test("twenty concurrent refund requests refund a payment only once", async () => {
  const payment_intent = await paidIntent("pm_card_visa");
  const all = Array.from({ length: 20 }, () => stripe.refunds.create({ payment_intent }));
  const outcomes = await Promise.allSettled(all);
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

test("a full refund ends the bank's inquiry, but a partial refund doesn't", async () => {
  const payment_intent = await paidIntent("pm_card_createDisputeInquiry");
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
