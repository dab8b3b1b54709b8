import { setTimeout as wait } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { sandboxForFile } from "#sandbox/testing/sandbox.ts";
import { startWebhookReceiver } from "#sandbox/testing/webhook-receiver.ts";

const shop = await startWebhookReceiver();
const sandbox = await sandboxForFile({ webhookUrl: shop.url });

afterEach(async () => {
  await sandbox.control();
  await delivered();
});

const laptop = { amount: 45_000, currency: "usd" };
const delivered = () => expect.poll(async () => (await sandbox.ledger()).undeliveredEvents).toBe(0);

const typesAbout = (id: string) => shop.about(id).map(({ type }) => type);

test("the dispatcher sends signed events in order, with the payment intent's state", async () => {
  const { id } = await sandbox.stripe.paymentIntents.create(laptop);
  await sandbox.stripe.paymentIntents
    .confirm(id, { payment_method: "pm_card_visa_chargeDeclined" })
    .catch(() => undefined);
  await sandbox.stripe.paymentIntents.confirm(id, { payment_method: "pm_card_visa" });
  await delivered();
  expect(typesAbout(id)).toEqual([
    "payment_intent.created",
    "payment_intent.payment_failed",
    "payment_intent.succeeded",
  ]);
  expect(shop.about(id).at(-1)?.data.object).toMatchObject({ status: "succeeded", ...laptop });
});

test("the dispatcher sends events for cancellations and refunds", async () => {
  const closed = await sandbox.stripe.paymentIntents.create(laptop);
  await sandbox.stripe.paymentIntents.cancel(closed.id);
  const { id } = await sandbox.stripe.paymentIntents.create(laptop);
  const paid = await sandbox.stripe.paymentIntents.confirm(id, { payment_method: "pm_card_visa" });
  const refund = await sandbox.stripe.refunds.create({ payment_intent: id });
  await delivered();
  expect(typesAbout(closed.id)).toContain("payment_intent.canceled");
  expect(typesAbout(refund.id)).toEqual(["refund.created"]);
  expect(typesAbout(String(paid.latest_charge))).toEqual(["charge.succeeded", "charge.refunded"]);
});

test("the dispatcher retries an event until the shop responds with 2xx", async () => {
  shop.respondNext(500, 503, 400);
  const { id } = await sandbox.stripe.paymentIntents.create(laptop);
  await delivered();
  const attempts = shop.about(id);
  expect(attempts).toHaveLength(4);
  expect(new Set(attempts.map((event) => event.id)).size).toBe(1);
});

test("the dispatcher can hold events and send them newest first", async () => {
  await sandbox.control({ webhook: { hold: true } });
  const { id } = await sandbox.stripe.paymentIntents.create(laptop);
  await sandbox.stripe.paymentIntents.confirm(id, { payment_method: "pm_card_visa" });
  expect((await sandbox.ledger()).undeliveredEvents).toBe(3);
  expect(shop.about(id)).toEqual([]);
  await sandbox.control({ webhook: { newestFirst: true } });
  await delivered();
  expect(typesAbout(id)).toEqual(["payment_intent.succeeded", "payment_intent.created"]);
});

test("the dispatcher can send fifty concurrent copies of an event", async () => {
  await sandbox.control({ webhook: { copies: 50 } });
  const { id } = await sandbox.stripe.paymentIntents.create(laptop);
  await delivered();
  expect(shop.about(id)).toHaveLength(50);
});

test("the dispatcher delays events by delayMs", async () => {
  await sandbox.control({ webhook: { delayMs: 60_000 } });
  const { id } = await sandbox.stripe.paymentIntents.create(laptop);
  await wait(300);
  expect(shop.about(id)).toEqual([]);
  await sandbox.control({ webhook: { delayMs: 1 } });
  await delivered();
  expect(shop.about(id)).toHaveLength(1);
});
