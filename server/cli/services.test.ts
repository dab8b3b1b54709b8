import { createServer } from "node:http";
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from "vitest";
import { ensureEventDestination, ensureWebhookEndpoint } from "../adapters/cards/stripe-setup.ts";
import { readConfig } from "../config.ts";
import type { StripeKeys } from "../settings/card-payments.ts";
import { sandboxKeys } from "../settings/production-checks.ts";
import { freePort, listen } from "../testing/free-port.ts";
import { openShop, type Shop } from "../testing/shop.ts";
import { servicesOf } from "./services.ts";

let shop: Shop;

beforeAll(async () => {
  shop = await openShop({ sandbox: true });
});
afterAll(() => shop.close());

const publicUrl = "https://laptops.example.com";

function stripe(secretKey = sandboxKeys.secretKey) {
  const { hostname, port } = new URL(shop.sandbox?.url ?? "");
  return { ...sandboxKeys, secretKey, host: { hostname, port: Number(port) } };
}

/** `problem` is undefined if a check succeeds. */
async function examineCards(keys: StripeKeys = stripe(), url = publicUrl) {
  const services = servicesOf({ ...readConfig({}), stripe: keys, publicUrl: url });
  const cards = services.filter(({ name }) => name.startsWith("Cards"));
  return await Promise.all(
    cards.map(async ({ name, uses, settings, check }) => {
      const problem = await check?.().then(
        () => undefined,
        (error: Error) => error.message,
      );
      return { name, uses, settings, problem };
    }),
  );
}

test("doctor reports a missing webhook endpoint at Stripe, with the command that creates it", async () => {
  const [cards, webhook] = await examineCards();
  expect(cards).toMatchObject({ uses: "Stripe, test mode", problem: undefined });
  expect(webhook).toMatchObject({
    uses: `${publicUrl}/api/webhooks/stripe`,
    settings: "PUBLIC_URL, STRIPE_WEBHOOK_SECRET",
    problem: `Stripe has no webhook endpoint for ${publicUrl}/api/webhooks/stripe. Run npm run stripe -- webhook --url ${publicUrl}`,
  });
});

test("doctor reports ok if Stripe has the shop's webhook endpoint and event destination", async () => {
  const problems = async (keys: StripeKeys = stripe()) =>
    (await examineCards(keys)).map(({ problem }) => problem);
  await ensureWebhookEndpoint(stripe(), `${publicUrl}/api/webhooks/stripe`);
  expect(await problems()).toEqual([
    undefined,
    undefined,
    expect.stringContaining("no event destination for sellers' accounts"),
    undefined,
  ]);
  await ensureEventDestination(stripe(), `${publicUrl}/api/webhooks/stripe`);
  expect(await problems()).toEqual([undefined, undefined, undefined, undefined]);
  const { connectWebhookSecret: _, ...without } = stripe();
  expect((await problems(without))[2]).toContain("STRIPE_CONNECT_WEBHOOK_SECRET is not set");
});

test("doctor reports automatic payouts from the shop's Stripe balance and names the setting to change", async () => {
  await shop.cards.setAutomaticPayouts(true);
  onTestFinished(() => shop.cards.setAutomaticPayouts(false));
  expect((await examineCards()).at(-1)).toMatchObject({
    name: "Cards: own payouts",
    problem:
      "Stripe pays out your balance by itself (daily), with buyers' money in it. Set it to manual in Stripe's dashboard, under Settings, Payouts",
  });
});

test("doctor reports a Stripe account without Connect", async () => {
  await shop.cards.setConnect(false);
  onTestFinished(() => shop.cards.setConnect(true));
  const payouts = (await examineCards()).find(({ uses }) => uses === "Stripe Connect");
  expect(payouts?.problem).toContain("Stripe Connect is not enabled");
});

test("doctor reports a wrong live key without showing the key", async () => {
  const [cards] = await examineCards(stripe("sk_live_of_nobody"));
  expect(cards).toMatchObject({ uses: "Stripe, live mode", settings: "STRIPE_SECRET_KEY" });
  expect(cards?.problem).toContain("Invalid API Key");
  expect(cards?.problem).not.toContain("of_nobody");
});

test("doctor reports a restricted key that can't read the balance", async () => {
  const failNext = { method: "GET", path: "/v1/balance", status: 403 };
  await shop.cards.injectFaults({ failNext });
  onTestFinished(() => shop.cards.injectFaults({}));
  const [cards] = await examineCards();
  expect(cards?.problem).toBeDefined();
  await shop.cards.injectFaults({});
  expect((await examineCards())[0]?.problem).toBeUndefined();
});

test("if Stripe can't reach the shop's URL, doctor reports that PUBLIC_URL is not set", async () => {
  const [, webhook] = await examineCards(stripe(), "http://127.0.0.1:3000");
  expect(webhook?.problem).toContain("PUBLIC_URL is not set");
});

test("doctor reports an image host that responds with 500, but not one that responds with 404", async () => {
  let status = 500;
  const server = createServer((_, response) => response.writeHead(status).end());
  const url = `http://127.0.0.1:${await listen(server)}`;
  onTestFinished(() => void server.close());
  const env = { IMAGE_HOST_URL: url, IMAGE_HOST_KEY: "key" };
  const host = servicesOf(readConfig(env)).find(({ name }) => name === "Image host");
  await expect(host?.check?.()).rejects.toThrow(/^It answers 500$/);
  status = 404;
  await expect(host?.check?.()).resolves.not.toThrow();
});

async function checkReplicas(DATABASE_URL: string, urls: string[]): Promise<unknown[]> {
  const config = readConfig({ DATABASE_URL, DATABASE_REPLICA_URL: urls.join(",") });
  const replicas = servicesOf(config).filter(({ name }) => name === "Database: replica");
  expect(replicas).toMatchObject(
    urls.map((url) => ({
      uses: `PostgreSQL at ${new URL(url).host}`,
      settings: "DATABASE_REPLICA_URL",
    })),
  );
  return await Promise.all(
    replicas.map(({ check }) => check?.().catch((error: Error) => error.message)),
  );
}

test("doctor fails if every replica URL points to the primary", async () => {
  const url = inject("postgresUrl");
  const alias = Object.assign(new URL(url), { hostname: "localhost" }).href;
  const problem = "it is no replica, and no other is listed, so nothing is read from one";
  expect(await checkReplicas(url, [url])).toEqual([problem]);
  expect(await checkReplicas(url, [url, alias])).toEqual([problem, problem]);
});

test("doctor accepts a primary that is listed among the replicas, and says that it is the primary", async () => {
  const url = inject("postgresUrl");
  const dead = Object.assign(new URL(url), { port: String(await freePort()) }).href;
  expect(await checkReplicas(url, [url, dead])).toEqual([
    "it is the primary now",
    expect.stringContaining("ECONNREFUSED"),
  ]);
});
