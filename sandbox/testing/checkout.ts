import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { openBrowser } from "./browser.ts";
import type { RunningSandbox } from "./sandbox.ts";

/** The checkout page has a different origin than the sandbox. */
export async function openCheckout(sandbox: RunningSandbox) {
  const html = readFileSync(join(import.meta.dirname, "checkout.html"));
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end(html);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;

  const browser = await openBrowser();
  return {
    async open(host = "localhost"): Promise<Page> {
      const intent = await sandbox.stripe.paymentIntents.create({
        amount: 45_000,
        currency: "usd",
      });
      const page = await browser.newPage();
      await page.goto(`http://${host}:${port}/#${sandbox.url},${intent.client_secret}`);
      return page;
    },
    async close(): Promise<void> {
      await browser.close();
      server.close();
    },
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
