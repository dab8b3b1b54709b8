import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { afterAll } from "vitest";
import { openBrowser } from "./browser.ts";
import type { RunningSandbox } from "./sandbox.ts";

/** Returns a function that opens a checkout page, whose origin is not the sandbox's. */
export async function checkoutPages(sandbox: RunningSandbox) {
  const html = readFileSync(join(import.meta.dirname, "checkout.html"));
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

export function cardFields(page: Page) {
  const frame = page.frameLocator("#card iframe");
  return {
    number: frame.getByLabel("Card number"),
    expiry: frame.getByLabel("Expiration date"),
    cvc: frame.getByLabel("Security code"),
  };
}
