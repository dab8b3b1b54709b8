import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { afterAll, expect, test } from "vitest";
import { startSandbox, temporaryDataDir } from "#sandbox/testing/sandbox.ts";
import { startWebhookReceiver } from "#sandbox/testing/webhook-receiver.ts";

const dataDir = await temporaryDataDir();
const shop = await startWebhookReceiver();

afterAll(dataDir.remove);

const laptop = { amount: 45_000, currency: "usd" };

test("payments, idempotency keys and events survive SIGKILL", async () => {
  const first = await startSandbox(dataDir.path);
  const options = { idempotencyKey: "booking-1" };
  const { id } = await first.stripe.paymentIntents.create(laptop, options);
  await first.stripe.paymentIntents.confirm(id, { payment_method: "pm_card_visa" });
  expect(await first.end("SIGKILL")).toBe("SIGKILL");

  const second = await startSandbox(dataDir.path, { webhookUrl: shop.url });
  expect((await second.stripe.paymentIntents.retrieve(id)).status).toBe("succeeded");
  expect((await second.stripe.paymentIntents.create(laptop, options)).id).toBe(id);
  await expect
    .poll(() => shop.about(id).map(({ type }) => type))
    .toEqual(["payment_intent.created", "payment_intent.succeeded"]);
  expect((await second.ledger()).charges).toHaveLength(1);
  expect(await second.end("SIGTERM")).toBe(0);
});

test("every acknowledged payment survives SIGKILL under load", async () => {
  const first = await startSandbox(dataDir.path);
  const answered: string[] = [];
  const rush = Array.from({ length: 40 }, async () => {
    const { id } = await first.stripe.paymentIntents.create(laptop);
    await first.stripe.paymentIntents.confirm(id, { payment_method: "pm_card_visa" });
    answered.push(id);
  });
  await Promise.race(rush);
  await first.end("SIGKILL");
  await Promise.allSettled(rush);

  const second = await startSandbox(dataDir.path);
  const { intents, charges } = await second.ledger();
  const paid = intents.filter(({ status }) => status === "succeeded").map(({ id }) => id);
  expect(answered.length).toBeGreaterThan(0);
  expect(paid).toEqual(expect.arrayContaining(answered));
  expect(charges.map(({ payment_intent }) => payment_intent).sort()).toEqual(paid.sort());
  await second.end("SIGTERM");
});

test("the sandbox exits when the parent process disconnects", async () => {
  const sandbox = await startSandbox(dataDir.path);
  expect(await sandbox.disconnect()).toBe(0);
});

test("the sandbox prints a one-line error when its port is in use", async () => {
  const running = await startSandbox(dataDir.path);
  const child = spawn(process.execPath, ["sandbox/main.ts"], {
    env: { DATA_DIR: dataDir.path, SANDBOX_PORT: new URL(running.url).port },
  });
  expect(await text(child.stderr)).toMatch(/^The sandbox did not start: .*EADDRINUSE.*\n$/);
  await running.end("SIGTERM");
});
