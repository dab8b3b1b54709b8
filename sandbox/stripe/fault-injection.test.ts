import Stripe from "stripe";
import { afterEach, expect, test } from "vitest";
import { sandboxForFile } from "#sandbox/testing/sandbox.ts";

const sandbox = await sandboxForFile();
afterEach(() => sandbox.control());

const laptop = { amount: 45_000, currency: "usd" };
const create = { method: "POST", path: "/v1/payment_intents" } as const;
const intents = async () => (await sandbox.ledger()).intents.length;

test("failNext fails one call without doing the work", async () => {
  const before = await intents();
  await sandbox.control({ failNext: { ...create, status: 503 } });
  const failing = sandbox.stripe.paymentIntents.create(laptop);
  await expect(failing).rejects.toThrow(Stripe.errors.StripeAPIError);
  expect(await intents()).toBe(before);
  await sandbox.stripe.paymentIntents.create(laptop);
  expect(await intents()).toBe(before + 1);
});

test.each([
  [false, 0],
  [true, 1],
])(
  "a 500 is stored under its idempotency key and returned again, as Stripe does (work done: %s)",
  async (afterWork, made) => {
    const before = await intents();
    const options = { idempotencyKey: `stored-500-${afterWork}` };
    const open = (more = {}) => sandbox.stripe.paymentIntents.create(laptop, more);
    await sandbox.control({ failNext: { ...create, status: 500, afterWork } });
    await expect(open(options)).rejects.toMatchObject({ statusCode: 500 });
    const replayed = { statusCode: 500, headers: { "idempotent-replayed": "true" } };
    await expect(open(options)).rejects.toMatchObject(replayed);
    expect(await intents()).toBe(before + made);
    await open();
    expect(await intents()).toBe(before + made + 1);
  },
);

test("a rejection is stored under its idempotency key", async () => {
  const options = { idempotencyKey: "stored-refusal" };
  const code = "balance_insufficient";
  await sandbox.control({ failNext: { ...create, status: 400, code } });
  for (const _ of [1, 2])
    await expect(sandbox.stripe.paymentIntents.create(laptop, options)).rejects.toMatchObject({
      code,
    });
});

test("afterWork loses the response, and a retry with the same idempotency key returns the result", async () => {
  const before = await intents();
  await sandbox.control({ failNext: { ...create, status: 503, afterWork: true } });
  const options = { idempotencyKey: "lost-answer" };
  const failing = sandbox.stripe.paymentIntents.create(laptop, options);
  await expect(failing).rejects.toThrow(Stripe.errors.StripeAPIError);
  await sandbox.stripe.paymentIntents.create(laptop, options);
  expect(await intents()).toBe(before + 1);
});

test("hangup closes the connection either before or after doing the work", async () => {
  const before = await intents();
  // The SDK retries once with the same idempotency key after a closed connection.
  for (const afterWork of [false, true]) {
    await sandbox.control({ failNext: { ...create, status: "hangup", afterWork, times: 2 } });
    const failing = sandbox.stripe.paymentIntents.create(laptop);
    await expect(failing).rejects.toThrow(Stripe.errors.StripeConnectionError);
  }
  expect(await intents()).toBe(before + 1);
});

test.each([
  [429, "StripeRateLimitError"],
  [409, "StripeAPIError"],
])("the SDK turns status %i into %s", async (status, type) => {
  await sandbox.control({ failNext: { ...create, status } });
  await expect(sandbox.stripe.paymentIntents.create(laptop)).rejects.toMatchObject({ type });
});

test("delayMs delays the response but not the work", async () => {
  await sandbox.control({ delayMs: 60_000 });
  const before = await intents();
  const asked = sandbox.stripe.paymentIntents.create(laptop, { timeout: 1_000 });
  await expect(asked).rejects.toThrow(Stripe.errors.StripeConnectionError);
  expect(await intents()).toBe(before + 1);

  await sandbox.control({ delayMs: 60_000, delayPath: "/v1/refunds" });
  await sandbox.stripe.paymentIntents.create(laptop, { timeout: 1_000 });
});

test("the late-response card is charged even though the client timed out", async () => {
  const { id } = await sandbox.stripe.paymentIntents.create(laptop);
  const method = { payment_method: "pm_card_answersLate" };
  const asked = sandbox.stripe.paymentIntents.confirm(id, method, { timeout: 1_000 });
  await expect(asked).rejects.toThrow(Stripe.errors.StripeConnectionError);
  expect((await sandbox.stripe.paymentIntents.retrieve(id)).status).toBe("succeeded");
});

test("an invalid fault is rejected with an error that names the field", async () => {
  const wrong = sandbox.control({ failNext: { ...create, status: 200 } });
  await expect(wrong).rejects.toThrow("failNext.status");
});
