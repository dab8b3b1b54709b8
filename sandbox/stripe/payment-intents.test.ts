import Stripe from "stripe";
import { describe, expect, test } from "vitest";
import { sandboxForFile, sdk } from "#sandbox/testing/sandbox.ts";

const sandbox = await sandboxForFile();
const { stripe } = sandbox;

const laptop = {
  amount: 45_000,
  currency: "usd",
  metadata: { bookingId: "b-1", note: "50% & more" },
};

async function paidIntent(payment_method: string): Promise<string> {
  const { id } = await stripe.paymentIntents.create(laptop);
  await stripe.paymentIntents.confirm(id, { payment_method });
  return id;
}

describe("creating a payment intent", () => {
  test("a new payment intent stores amount and metadata, and reusing its idempotency key with another amount fails", async () => {
    const options = { idempotencyKey: "booking-3" };
    const { id, client_secret } = await stripe.paymentIntents.create(laptop, options);
    expect(client_secret).toMatch(new RegExp(`^${id}_secret_`));
    expect(await stripe.paymentIntents.retrieve(id)).toMatchObject({
      ...laptop,
      object: "payment_intent",
      status: "requires_payment_method",
      amount_received: 0,
      latest_charge: null,
    });
    const other = stripe.paymentIntents.create({ ...laptop, amount: 1 }, options);
    await expect(other).rejects.toThrow(Stripe.errors.StripeIdempotencyError);
  });

  test("invalid parameters are rejected with Stripe's error code", async () => {
    for (const [params, code] of [
      [{ ...laptop, amount: 49 }, "amount_too_small"],
      [{ ...laptop, currency: "kwd", amount: 45_005 }, undefined],
      [{ amount: 100 }, "parameter_missing"],
      [{ ...laptop, colour: "red" }, "parameter_unknown"],
    ] as const) {
      const asked = stripe.rawRequest("POST", "/v1/payment_intents", params);
      await expect(asked).rejects.toMatchObject({ type: "StripeInvalidRequestError", code });
    }
  });
});

describe("confirming a payment intent", () => {
  test("confirming an intent charges the full amount, and a second confirmation is rejected", async () => {
    const { id } = await stripe.paymentIntents.create(laptop);
    const paid = await stripe.paymentIntents.confirm(id, {
      payment_method: "pm_card_visa",
      expand: ["latest_charge"],
    });
    expect(paid).toMatchObject({
      status: "succeeded",
      amount_received: 45_000,
      latest_charge: { status: "succeeded", amount: 45_000, paid: true },
    });
    const twice = stripe.paymentIntents.confirm(id, { payment_method: "pm_card_visa" });
    await expect(twice).rejects.toMatchObject({
      code: "payment_intent_unexpected_state",
      payment_intent: { status: "succeeded" },
    });
  });

  test.each([
    ["pm_card_visa_chargeDeclined", "card_declined", "generic_decline", "Your card was declined."],
    [
      "pm_card_visa_chargeDeclinedInsufficientFunds",
      "card_declined",
      "insufficient_funds",
      "Your card has insufficient funds.",
    ],
    ["pm_card_chargeDeclinedExpiredCard", "expired_card", "expired_card", "Your card has expired."],
  ])(
    "%s is declined, and the intent can then be paid with another card",
    async (method, code, declineCode, message) => {
      const { id } = await stripe.paymentIntents.create(laptop);
      const declined = stripe.paymentIntents.confirm(id, { payment_method: method });
      await expect(declined).rejects.toMatchObject({
        type: "StripeCardError",
        statusCode: 402,
        code,
        decline_code: declineCode,
        message,
      });
      const after = await stripe.paymentIntents.retrieve(id);
      expect(after).toMatchObject({ status: "requires_payment_method", amount_received: 0 });
      expect(after.last_payment_error?.message).toBe(message);
      const second = await stripe.paymentIntents.confirm(id, { payment_method: "pm_card_visa" });
      expect(second).toMatchObject({ status: "succeeded", last_payment_error: null });
    },
  );
});

describe("API keys", () => {
  test("a wrong or missing API key is rejected", async () => {
    const wrong = sdk(sandbox.url, "sk_test_other").events.list();
    await expect(wrong).rejects.toThrow(Stripe.errors.StripeAuthenticationError);
    expect((await fetch(`${sandbox.url}/v1/events`)).status).toBe(401);
  });

  test("with a publishable key, a client secret pays only its own intent and returns no secret fields", async () => {
    const mine = await stripe.paymentIntents.create(laptop);
    const other = await stripe.paymentIntents.create(laptop);
    const card = {
      "payment_method_data[type]": "card",
      "payment_method_data[card][number]": "4242424242424242",
      "payment_method_data[card][exp_month]": "12",
      "payment_method_data[card][exp_year]": "2040",
      "payment_method_data[card][cvc]": "123",
      client_secret: String(mine.client_secret),
    };
    const stolen = await sandbox.asBrowser(`/v1/payment_intents/${other.id}/confirm`, card);
    expect(stolen.status).toBe(404);
    const paid = await sandbox.asBrowser(`/v1/payment_intents/${mine.id}/confirm`, card);
    expect(paid.body).toMatchObject({ status: "succeeded", amount: 45_000 });
    expect(paid.body).not.toHaveProperty("metadata");
    const asBrowser = sdk(sandbox.url, "pk_test_sandbox");
    await expect(asBrowser.paymentIntents.retrieve(mine.id)).rejects.toMatchObject({
      code: "secret_key_required",
    });
  });
});

describe("canceling, refunding and listing events", () => {
  test("a canceled intent can neither be paid nor refunded", async () => {
    const { id } = await stripe.paymentIntents.create(laptop);
    const canceled = await stripe.paymentIntents.cancel(id);
    expect(canceled).toMatchObject({ status: "canceled" });
    const late = stripe.paymentIntents.confirm(id, { payment_method: "pm_card_visa" });
    await expect(late).rejects.toMatchObject({ code: "payment_intent_unexpected_state" });
    await expect(stripe.refunds.create({ payment_intent: id })).rejects.toThrow(
      "does not have a successful charge to refund",
    );
  });

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

  test("an API call that the sandbox does not support is rejected", async () => {
    const asked = stripe.customers.create({ email: "ada@example.com" });
    await expect(asked).rejects.toThrow("Unrecognized request URL (POST: /v1/customers).");
  });

  test("events are listed newest first, in pages, and can be filtered by creation time", async () => {
    const created: string[] = [];
    for (let n = 0; n < 5; n += 1) created.unshift((await stripe.paymentIntents.create(laptop)).id);
    const found: string[] = [];
    const now = Math.floor(Date.now() / 1000);
    const types = ["payment_intent.created"];
    const listSince = (gte: number) => stripe.events.list({ types, limit: 2, created: { gte } });
    for await (const event of listSince(now - 600))
      found.push((event.data.object as Stripe.PaymentIntent).id);
    expect(found.slice(0, 5)).toEqual(created);
    expect(new Set(found).size).toBe(found.length);
    expect((await listSince(now + 600)).data).toEqual([]);
  });
});
