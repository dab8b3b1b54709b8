import type { Browser, Page } from "@playwright/test";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser, see } from "#sandbox/testing/browser.ts";
import { type RunningSandbox, startSandbox, temporaryDataDir } from "#sandbox/testing/sandbox.ts";
import { deal, type Sale } from "../testing/deal.ts";
import { listing } from "../testing/marketplace.ts";
import { member, type Person } from "../testing/people.ts";
import { openShop, type Shop } from "../testing/shop.ts";

// Keys that look live. The sandbox answers the shop's server, and this test answers the browser.
const keys = {
  secretKey: "sk_live_lookalike",
  publishableKey: "pk_live_lookalike",
  webhookSecret: "whsec_lookalike",
};
const dataDir = await temporaryDataDir();
let sandbox: RunningSandbox;
let browser: Browser;
let shop: Shop;
let buyer: Person;
let held: Sale;

beforeAll(async () => {
  sandbox = await startSandbox(dataDir.path, { keys });
  const { hostname, port } = new URL(sandbox.url);
  const host = { hostname, port: Number(port) };
  [shop, browser] = await Promise.all([
    openShop({ pages: true, config: { stripe: { ...keys, host } } }),
    openBrowser(),
  ]);
  buyer = await member(shop);
  const seller = await member(shop, { accountType: "seller" });
  held = await deal(shop, "held", { seller, buyer, product: await listing(seller) });
});
afterAll(async () => {
  await browser.close();
  await shop.close();
  await sandbox.end("SIGTERM");
  await dataDir.remove();
});

const stripeHosts = /^https:\/\/(js|hooks|api)\.stripe\.com\//;

/** Like Stripe.js, shows card fields and 3-D Secure in frames from Stripe's own hosts. */
const stripeScript = `
  const frame = (node, src, title) => node.append(Object.assign(document.createElement("iframe"), { src, title }));
  const card = {
    on(name, listener) { this[name] = listener; return card; },
    off() {}, update() {}, destroy() {}, unmount() {},
    mount(node) {
      frame(node, "https://js.stripe.com/card-fields.html", "Secure card payment input frame");
      setTimeout(() => card.change({ complete: true, elementType: "card" }));
    },
  };
  const elements = { create: () => card, getElement: () => card, update() {} };
  async function confirmCardPayment(secret) {
    frame(document.body, "https://hooks.stripe.com/3d-secure.html", "3-D Secure");
    await new Promise((resolve) => addEventListener("message", ({ origin, data }) =>
      origin === "https://hooks.stripe.com" && data === "authenticated" && resolve()));
    const answer = await fetch("https://api.stripe.com/v1/payment_intents/" + secret);
    return { paymentIntent: await answer.json() };
  }
  window.Stripe = Object.assign(
    (key) => {
      window.publishableKey = key;
      return { elements: () => elements, confirmCardPayment, createToken() {}, createPaymentMethod() {} };
    },
    { version: "endive" });`;

const authentication = `<button onclick="parent.postMessage('authenticated', '*')">Complete</button>`;

/** Responds in place of Stripe. The request after 3-D Secure pays the payment intent. */
async function answerForStripe(page: Page): Promise<void> {
  await page.route("https://js.stripe.com/**", (route) =>
    route.request().resourceType() === "script"
      ? route.fulfill({ contentType: "text/javascript", body: stripeScript })
      : route.fulfill({ contentType: "text/html", body: "<p>Card number</p>" }),
  );
  await page.route("https://hooks.stripe.com/**", (route) =>
    route.fulfill({ contentType: "text/html", body: authentication }),
  );
  await page.route("https://api.stripe.com/**", async (route) => {
    const paid = await sandbox.stripe.paymentIntents.confirm(held.intent, {
      payment_method: "pm_card_visa",
    });
    const headers = { "access-control-allow-origin": "*" };
    await route.fulfill({ headers, json: { id: paid.id, status: paid.status } });
  });
}

test("with live keys, the card form makes a payment, and its page can use only the shop's and Stripe's hosts", async () => {
  const page = await browser.newPage();
  const [, name = "", value = ""] = /^([^=]+)=(.*)$/.exec(buyer.cookie) ?? [];
  await page.context().addCookies([{ name, value, url: shop.url }]);
  const [elsewhere, problems]: string[][] = [[], []];
  page.on("request", (request) => {
    if (/^(blob|data):/.test(request.url()) || request.url().startsWith(shop.url)) return;
    elsewhere?.push(`${request.resourceType()} ${request.url()}`);
  });
  page.on("console", (message) => message.type() === "error" && problems?.push(message.text()));
  await answerForStripe(page);

  const response = await page.goto(`${shop.url}/dashboard/payment/${held.booking}`);
  const card = page.frameLocator("iframe[title='Secure card payment input frame']");
  await see(card.getByText("Card number")).toBeVisible();
  const pay = page.getByRole("button", { name: /^Pay \$/ });
  await see(pay).toBeEnabled();
  expect(elsewhere).toEqual([
    expect.stringMatching(/^script https:\/\/js\.stripe\.com\/(\w+)\/stripe\.js$/),
    "document https://js.stripe.com/card-fields.html",
  ]);
  expect(await page.evaluate("publishableKey")).toBe(keys.publishableKey);
  await see(page.getByText("4242 4242 4242 4242")).toHaveCount(0);

  await pay.click();
  const step = page.frameLocator("iframe[title='3-D Secure']");
  await step.getByRole("button", { name: "Complete" }).click();
  await see(page.getByText(held.intent)).toBeVisible();
  expect(await held.order()).toMatchObject({ paid: true, transactionId: held.intent });
  expect(elsewhere?.filter((one) => !stripeHosts.test(one.split(" ")[1] ?? ""))).toEqual([]);
  expect(problems).toEqual([]);

  const policy = response?.headers()["content-security-policy"] ?? "";
  expect(sourcesOf(policy, "script-src")).toEqual([
    "'self'",
    "https://js.stripe.com",
    "https://*.js.stripe.com",
  ]);
  expect(sourcesOf(policy, "connect-src")).toEqual(["'self'", "https://api.stripe.com"]);
  expect(sourcesOf(policy, "frame-src")).toEqual([
    "https://js.stripe.com",
    "https://*.js.stripe.com",
    "https://hooks.stripe.com",
  ]);
  expect(policy).not.toContain(new URL(sandbox.url).host);
});

function sourcesOf(policy: string, directive: string): string[] {
  const found = policy.split("; ").find((one) => one.startsWith(`${directive} `)) ?? "";
  return found
    .split(" ")
    .slice(1)
    .filter((one) => !one.startsWith("'sha256-"));
}
