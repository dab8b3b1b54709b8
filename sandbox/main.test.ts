import { spawn } from "node:child_process";
import { once } from "node:events";
import { get } from "node:http";
import { text } from "node:stream/consumers";
import { createTransport } from "nodemailer";
import { afterAll, beforeAll, expect, test } from "vitest";
import { onboardedAccount } from "#sandbox/testing/control-sandbox.ts";
import { type RunningSandbox, startSandbox, temporaryDataDir } from "#sandbox/testing/sandbox.ts";
import { startWebhookReceiver } from "#sandbox/testing/webhook-receiver.ts";

const dataDir = await temporaryDataDir();
const shop = await startWebhookReceiver();
let sandbox: RunningSandbox;

beforeAll(start);
afterAll(async () => {
  await sandbox.end("SIGTERM");
  await dataDir.remove();
});

async function start(): Promise<void> {
  sandbox = await startSandbox(dataDir.path, { webhookUrl: shop.url });
}

async function kill(): Promise<void> {
  expect(await sandbox.end("SIGKILL")).toBe("SIGKILL");
}

async function read(path: string) {
  return await (await fetch(sandbox.url + path)).json();
}

const laptop = { amount: 45_000, currency: "usd" };
const card = { payment_method: "pm_card_visa" };

test("payments, idempotency keys, events, sellers' money, the clock, emails and Google's key survive SIGKILL", async () => {
  await sandbox.control({ webhook: { hold: true } });
  const options = { idempotencyKey: "booking-1" };
  const { id } = await sandbox.stripe.paymentIntents.create(laptop, options);
  const { latest_charge } = await sandbox.stripe.paymentIntents.confirm(id, card);
  const destination = await onboardedAccount(sandbox.stripe);
  const source = { destination, source_transaction: String(latest_charge) };
  await sandbox.stripe.transfers.create({ ...laptop, amount: 40_000, ...source });
  await sandbox.advanceClock(0.5);
  const email = { from: "a@example.com", to: "b@example.com", subject: "Kept", text: "Hello" };
  await createTransport(sandbox.smtpUrl).sendMail(email);
  const key = await read("/google/oauth2/v3/certs");
  const { now } = await read("/_control/clock");
  await kill();

  await start();
  expect((await sandbox.stripe.paymentIntents.retrieve(id)).status).toBe("succeeded");
  expect((await sandbox.stripe.paymentIntents.create(laptop, options)).id).toBe(id);
  await expect
    .poll(() => shop.about(id).map(({ type }) => type))
    .toEqual(["payment_intent.created", "payment_intent.succeeded"]);
  expect((await sandbox.ledger()).charges).toHaveLength(1);
  expect(await read("/mail/messages")).toMatchObject([{ subject: "Kept" }]);
  expect(await read("/google/oauth2/v3/certs")).toEqual(key);
  expect((await read("/_control/clock")).now).toBeGreaterThanOrEqual(now);
  await sandbox.advanceClock(6);
  const { data } = await sandbox.stripe.payouts.list({}, { stripeAccount: destination });
  expect(data).toMatchObject([{ amount: 40_000, status: "paid" }]);
});

test("every acknowledged payment survives SIGKILL under load", async () => {
  const answered: string[] = [];
  const rush = Array.from({ length: 40 }, async () => {
    const { id } = await sandbox.stripe.paymentIntents.create(laptop);
    await sandbox.stripe.paymentIntents.confirm(id, card);
    answered.push(id);
  });
  await Promise.race(rush);
  await kill();
  await Promise.allSettled(rush);

  await start();
  const { intents, charges } = await sandbox.ledger();
  const paid = intents.filter(({ status }) => status === "succeeded").map(({ id }) => id);
  expect(answered.length).toBeGreaterThan(0);
  expect(paid).toEqual(expect.arrayContaining(answered));
  expect(charges.map(({ payment_intent }) => payment_intent).sort()).toEqual(paid.sort());
});

test("the sandbox answers only requests for a loopback Host with its own port, and sends 421 to others", async () => {
  const { port } = new URL(sandbox.url);
  async function ask(path: string, host: string) {
    const [response] = await once(get({ port, path, headers: { host } }), "response");
    return { status: response.statusCode, body: await text(response) };
  }
  for (const name of ["127.0.0.1", "localhost", "[::1]"])
    expect((await ask("/mail", `${name}:${port}`)).status).toBe(200);
  const others = [`evil.example:${port}`, "evil.example", `localhost.evil.example:${port}`];
  for (const path of ["/mail", "/mail/messages", "/v1/events", "/_control/ledger", "/stripe/v3/"])
    for (const host of [...others, "localhost:1"])
      expect(await ask(path, host), `${path} on ${host}`).toEqual({
        status: 421,
        body: expect.stringContaining(`Open http://127.0.0.1:${port}.`),
      });
});

test("the sandbox prints a one-line error when its port is in use", async () => {
  const env = { DATA_DIR: dataDir.path, SANDBOX_PORT: new URL(sandbox.url).port };
  const child = spawn(process.execPath, ["sandbox/main.ts"], { env });
  expect(await text(child.stderr)).toMatch(/^The sandbox did not start: .*EADDRINUSE.*\n$/);
});

test("the sandbox exits when the parent process disconnects", async () => {
  expect(await sandbox.disconnect()).toBe(0);
});
