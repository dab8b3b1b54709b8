import Stripe from "stripe";
import { afterEach, describe, expect, test } from "vitest";
import { sandboxForFile } from "#sandbox/testing/sandbox.ts";
import { startWebhookReceiver } from "#sandbox/testing/webhook-receiver.ts";

const shop = await startWebhookReceiver();
const sandbox = await sandboxForFile({ webhookUrl: shop.url });
const { paymentIntents } = sandbox.stripe;

const laptop = { amount: 45_000, currency: "usd" };
const card = { payment_method: "pm_card_visa" };
const delivered = () => expect.poll(async () => (await sandbox.ledger()).undeliveredEvents).toBe(0);
const typesAbout = (id: string) => shop.about(id).map(({ type }) => type);

afterEach(async () => {
  await sandbox.control();
  await delivered();
});

describe("API calls", () => {
  const create = { method: "POST", path: "/v1/payment_intents" } as const;
  const intents = async () => (await sandbox.ledger()).intents.length;
  const lost = Stripe.errors.StripeConnectionError;

  test("failNext fails one call without doing the work, and rejects a success status", async () => {
    const before = await intents();
    for (const [status, type] of [
      [503, "StripeAPIError"],
      [429, "StripeRateLimitError"],
      [409, "StripeAPIError"],
    ] as const) {
      await sandbox.control({ failNext: { ...create, status } });
      await expect(paymentIntents.create(laptop)).rejects.toMatchObject({ type });
    }
    expect(await intents()).toBe(before);
    await paymentIntents.create(laptop);
    expect(await intents()).toBe(before + 1);
    const wrong = sandbox.control({ failNext: { ...create, status: 200 } });
    await expect(wrong).rejects.toThrow("failNext.status");
  });

  test.each([
    [false, 0],
    [true, 1],
  ])(
    "a 500 is stored under its idempotency key and returned again, as Stripe does (work done: %s)",
    async (afterWork, made) => {
      const before = await intents();
      const options = { idempotencyKey: `stored-500-${afterWork}` };
      await sandbox.control({ failNext: { ...create, status: 500, afterWork } });
      await expect(paymentIntents.create(laptop, options)).rejects.toMatchObject({
        statusCode: 500,
      });
      const replayed = { statusCode: 500, headers: { "idempotent-replayed": "true" } };
      await expect(paymentIntents.create(laptop, options)).rejects.toMatchObject(replayed);
      expect(await intents()).toBe(before + made);
      await paymentIntents.create(laptop);
      expect(await intents()).toBe(before + made + 1);
    },
  );

  test("a rejection is stored under its idempotency key", async () => {
    const options = { idempotencyKey: "stored-refusal" };
    const code = "balance_insufficient";
    await sandbox.control({ failNext: { ...create, status: 400, code } });
    for (const _ of [1, 2])
      await expect(paymentIntents.create(laptop, options)).rejects.toMatchObject({ code });
  });

  test("a retry with the same idempotency key succeeds after a 503 with afterWork, and creates no second intent", async () => {
    const before = await intents();
    await sandbox.control({ failNext: { ...create, status: 503, afterWork: true } });
    const options = { idempotencyKey: "lost-answer" };
    const failing = paymentIntents.create(laptop, options);
    await expect(failing).rejects.toThrow(Stripe.errors.StripeAPIError);
    await paymentIntents.create(laptop, options);
    expect(await intents()).toBe(before + 1);
  });

  test("hangup closes the connection either before or after doing the work", async () => {
    const before = await intents();
    // The SDK retries once with the same idempotency key after a closed connection.
    for (const afterWork of [false, true]) {
      await sandbox.control({ failNext: { ...create, status: "hangup", afterWork, times: 2 } });
      await expect(paymentIntents.create(laptop)).rejects.toThrow(lost);
    }
    expect(await intents()).toBe(before + 1);
  });

  test("delayMs and the late-response card delay the response but not the work", async () => {
    await sandbox.control({ delayMs: 60_000 });
    const before = await intents();
    const soon = { timeout: 1_000 };
    await expect(paymentIntents.create(laptop, soon)).rejects.toThrow(lost);
    expect(await intents()).toBe(before + 1);

    await sandbox.control({ delayMs: 60_000, delayPath: "/v1/refunds" });
    const { id } = await paymentIntents.create(laptop, soon);
    const late = { payment_method: "pm_card_answersLate" };
    await expect(paymentIntents.confirm(id, late, soon)).rejects.toThrow(lost);
    expect((await paymentIntents.retrieve(id)).status).toBe("succeeded");
  });
});

describe("webhooks", () => {
  test("the dispatcher sends signed events in order, with the payment intent's state", async () => {
    const closed = await paymentIntents.create(laptop);
    await paymentIntents.cancel(closed.id);
    const { id } = await paymentIntents.create(laptop);
    const declined = { payment_method: "pm_card_visa_chargeDeclined" };
    await expect(paymentIntents.confirm(id, declined)).rejects.toThrow("declined");
    const paid = await paymentIntents.confirm(id, card);
    const refund = await sandbox.stripe.refunds.create({ payment_intent: id });
    await delivered();
    expect(typesAbout(closed.id)).toContain("payment_intent.canceled");
    expect(typesAbout(id)).toEqual([
      "payment_intent.created",
      "payment_intent.payment_failed",
      "payment_intent.succeeded",
    ]);
    expect(shop.about(id).at(-1)?.data.object).toMatchObject({ status: "succeeded", ...laptop });
    expect(typesAbout(String(paid.latest_charge))).toEqual(["charge.succeeded", "charge.refunded"]);
    expect(typesAbout(refund.id)).toEqual(["refund.created"]);
  });

  test("the dispatcher reports a refund that fails after it succeeded, and a won dispute that is lost and won again", async () => {
    const { disputes, refunds } = sandbox.stripe;
    const paid = await paymentIntents.create(laptop);
    await paymentIntents.confirm(paid.id, card);
    const refund = await refunds.create({ payment_intent: paid.id });
    const { id: payment_intent } = await paymentIntents.create(laptop);
    await paymentIntents.confirm(payment_intent, { payment_method: "pm_card_createDispute" });
    const [dispute] = (await disputes.list({ payment_intent })).data;
    const id = dispute?.id ?? "";
    await disputes.update(id, { evidence: { uncategorized_text: "winning_evidence" } });
    for (const status of ["lost", "won"]) {
      await sandbox.simulate("disputes/flip", { id });
      expect(await disputes.retrieve(id)).toMatchObject({ status });
    }
    const { balance_transactions: moves } = await disputes.retrieve(id);
    expect(moves.map(({ amount }) => amount)).toEqual([-45_000, 45_000, -45_000, 45_000]);

    await sandbox.advanceClock(10);
    await sandbox.simulate("refunds/fail", { id: refund.id });
    const ledger = await sandbox.ledger();
    expect(ledger.refunds.find((one) => one.id === refund.id)).toMatchObject({ status: "failed" });
    await delivered();
    expect(typesAbout(refund.id)).toContain("refund.failed");
    expect(typesAbout(id).filter((type) => type === "charge.dispute.closed")).toHaveLength(3);
  });

  test("the dispatcher retries an event until the shop responds with 2xx", async () => {
    shop.respondNext(500, 400);
    const { id } = await paymentIntents.create(laptop);
    await delivered();
    const attempts = shop.about(id);
    expect(attempts).toHaveLength(3);
    expect(new Set(attempts.map((event) => event.id)).size).toBe(1);
  });

  test("the dispatcher can hold events, and send them newest first in fifty concurrent copies", async () => {
    await sandbox.control({ webhook: { hold: true } });
    const { id } = await paymentIntents.create(laptop);
    await paymentIntents.confirm(id, card);
    expect((await sandbox.ledger()).undeliveredEvents).toBe(3);
    expect(shop.about(id)).toEqual([]);
    await sandbox.control({ webhook: { newestFirst: true, copies: 50 } });
    await delivered();
    expect(typesAbout(id)).toEqual([
      ...Array.from({ length: 50 }, () => "payment_intent.succeeded"),
      ...Array.from({ length: 50 }, () => "payment_intent.created"),
    ]);
  });

  test("the dispatcher delays events by delayMs", async () => {
    const delayMs = 300;
    await sandbox.control({ webhook: { delayMs } });
    const start = Date.now();
    const delayed = await paymentIntents.create(laptop);
    await delivered();
    expect(Date.now() - start).toBeGreaterThanOrEqual(delayMs);
    expect(shop.about(delayed.id)).toHaveLength(1);

    await sandbox.control({ webhook: { delayMs: 60_000 } });
    const { id } = await paymentIntents.create(laptop);
    expect(shop.about(id)).toEqual([]);
    await sandbox.control({ webhook: { delayMs: 1 } });
    await delivered();
    expect(shop.about(id)).toHaveLength(1);
  });
});
