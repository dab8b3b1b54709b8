import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "@playwright/test";
import { afterAll, describe, expect, test } from "vitest";
import { openBrowser, see } from "#sandbox/testing/browser.ts";
import { sandboxForFile } from "#sandbox/testing/sandbox.ts";

const sandbox = await sandboxForFile();
const openCheckout = await checkoutPages();

/** Returns a function that opens a checkout page, whose origin is not the sandbox's. */
async function checkoutPages() {
  const html = readFileSync(new URL("../testing/checkout.html", import.meta.url));
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end(html);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const browser = await openBrowser();
  afterAll(async () => {
    await browser.close();
    server.close();
  });
  return async (host = "localhost"): Promise<Page> => {
    const order = { amount: 45_000, currency: "usd" };
    const { client_secret } = await sandbox.stripe.paymentIntents.create(order);
    const page = await browser.newPage();
    await page.goto(`http://${host}:${port}/#${sandbox.url},${client_secret}`);
    return page;
  };
}

function cardFields(page: Page) {
  const frame = page.frameLocator("#card iframe");
  return {
    number: frame.getByLabel("Card number"),
    expiry: frame.getByLabel("Expiration date"),
    cvc: frame.getByLabel("Security code"),
  };
}

describe("the card element", () => {
  test("a buyer can fill in the card element and pay with the keyboard alone, and the page never receives the card number", async () => {
    const page = await openCheckout();
    const { number, expiry, cvc } = cardFields(page);
    await page.locator("[data-ready]").waitFor();
    await see(page.locator("button")).toBeDisabled();
    for (const field of [number, expiry, cvc]) {
      await page.keyboard.press("Tab");
      await see(field).toBeFocused();
    }
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Shift+Tab");
    await see(number).toBeFocused();
    // Typed at once, because focus moves to the next field automatically.
    await page.keyboard.type("37828224631000512401234");
    await see(number).toHaveValue("3782 822463 10005");
    await see(expiry).toHaveValue("12 / 40");
    await see(cvc).toHaveValue("1234");
    await page.keyboard.press("Enter");
    await see(page.locator("output")).toHaveText("succeeded");
    expect(await page.content()).not.toMatch(/3782 ?8224/);
    const [charge] = (await sandbox.ledger()).charges;
    expect(charge?.billing_details).toMatchObject({ name: "Ada Buyer", email: "ada@example.com" });
    await page.close();
  });

  test("the card element shows Stripe's validation messages, and the caret stays where digits are inserted", async () => {
    const page = await openCheckout();
    const { number, expiry, cvc } = cardFields(page);
    const problem = see(page.locator("[role=alert]"));
    await page.locator("[data-ready]").waitFor();
    await page.locator("label").click();
    await see(number).toBeFocused();
    await page.keyboard.type("42424242");
    for (let n = 0; n < 5; n += 1) await page.keyboard.press("ArrowLeft");
    await page.keyboard.type("99");
    await see(number).toHaveValue("4242 9942 42");
    await number.fill("");
    await number.pressSequentially("4242424242424241");
    await problem.toHaveText("Your card number is invalid.");
    await number.fill("4242");
    await problem.toBeEmpty();
    await expiry.click();
    await problem.toHaveText("Your card number is incomplete.");
    await number.fill("4242424242424242");
    await expiry.fill("0120");
    await problem.toHaveText("Your card's expiration year is in the past.");
    await expiry.fill("1340");
    await problem.toHaveText("Your card's expiration month is invalid.");
    await expiry.fill("1240");
    await cvc.fill("12");
    await number.click();
    await problem.toHaveText("Your card's security code is incomplete.");
    await page.close();
  });

  test("a page on another host cannot embed the card element", async () => {
    const page = await openCheckout("elsewhere.test");
    const said = async () => (await page.consoleMessages()).map((message) => message.text()).join();
    await expect.poll(said).toContain("frame-ancestors");
    await see(cardFields(page).number).toHaveCount(0);
    await page.close();
  });
});
