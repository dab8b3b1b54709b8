import { setTimeout as wait } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type RunningSandbox, startSandbox, temporaryDataDir } from "#sandbox/testing/sandbox.ts";
import { receiveWebhooks } from "#sandbox/testing/webhook-receiver.ts";

let sandbox: RunningSandbox;
const dataDir = await temporaryDataDir();
const shop = await receiveWebhooks();

beforeAll(async () => {
  sandbox = await startSandbox(dataDir.path, { webhookUrl: shop.url });
});

afterEach(async () => {
  await sandbox.control();
  await delivered();
});

afterAll(async () => {
  await sandbox.end("SIGTERM");
  shop.close();
  await dataDir.remove();
});

const laptop = { amount: 45_000, currency: "usd" };
const delivered = () => expect.poll(async () => (await sandbox.ledger()).undeliveredEvents).toBe(0);

/** The types of the events about an object, in the order they came. */
const typesAbout = (id: string) => shop.about(id).map(({ type }) => type);

test("a payment's events arrive signed, in order, with the payment as it then was", async () => {
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

test("a cancelled payment and a refunded charge are told of", async () => {
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

test("an event the shop does not accept is brought again until it does", async () => {
  shop.answerNext(500, 503, 400);
  const { id } = await sandbox.stripe.paymentIntents.create(laptop);
  await delivered();
  const attempts = shop.about(id);
  expect(attempts).toHaveLength(4);
  expect(new Set(attempts.map((event) => event.id)).size).toBe(1);
});

test("held events wait, and come newest first when a test asks for that", async () => {
  await sandbox.control({ webhook: { hold: true } });
  const { id } = await sandbox.stripe.paymentIntents.create(laptop);
  await sandbox.stripe.paymentIntents.confirm(id, { payment_method: "pm_card_visa" });
  expect((await sandbox.ledger()).undeliveredEvents).toBe(3);
  expect(shop.about(id)).toEqual([]);
  await sandbox.control({ webhook: { newestFirst: true } });
  await delivered();
  expect(typesAbout(id)).toEqual(["payment_intent.succeeded", "payment_intent.created"]);
});

test("an event can come fifty times at once", async () => {
  await sandbox.control({ webhook: { copies: 50 } });
  const { id } = await sandbox.stripe.paymentIntents.create(laptop);
  await delivered();
  expect(shop.about(id)).toHaveLength(50);
});

test("events keep to the delay they are given", async () => {
  await sandbox.control({ webhook: { delayMs: 60_000 } });
  const { id } = await sandbox.stripe.paymentIntents.create(laptop);
  // Without the delay it comes within a few milliseconds.
  await wait(300);
  expect(shop.about(id)).toEqual([]);
  await sandbox.control({ webhook: { delayMs: 1 } });
  await delivered();
  expect(shop.about(id)).toHaveLength(1);
});
