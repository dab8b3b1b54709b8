import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sandboxGoogle } from "../../settings/sandbox-credentials.ts";
import { openBrowser } from "../../testing/browser.ts";
import { createIdentity } from "../../testing/identity.ts";
import { openShop, type Shop } from "../../testing/shop.ts";
import { startSandbox } from "../sandbox-process.ts";
import type { Identity } from "./port.ts";
import { testIdentity } from "./suite.ts";

let shop: Shop;

beforeAll(async () => {
  shop = await openShop({ sandbox: true });
});
afterAll(() => shop.close());

describe("the embedded identity service", () => {
  testIdentity(() => ({
    identity: shop.deps.identity as Required<Identity>,
    db: shop.deps.db,
    advance: (minutes) => shop.clock.advance(minutes),
    async signIn(email, password) {
      const browser = openBrowser(shop.url);
      const response = await browser.post("/sign-in/email", { email, password });
      if (!response.ok) throw new Error(await response.text());
      return new Headers({ cookie: browser.cookies() });
    },
  }));
});

test("offers Google again once Google is back, if it was unreachable at the start", async () => {
  const { host, dataDir, origins, publicUrl } = shop.deps.config;
  const at = new URL(shop.sandbox?.url ?? "");
  await shop.sandbox?.stop();
  const discoveryUrl = `${at.origin}/google/.well-known/openid-configuration`;
  const identity = createIdentity(shop, { google: { ...sandboxGoogle, discoveryUrl } });

  const startSignIn = async () => {
    const request = new Request(`${publicUrl}/api/auth/sign-in/social`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: publicUrl },
      body: JSON.stringify({ provider: "google", callbackURL: "/", disableRedirect: true }),
    });
    const response = await identity.handleRequest?.(request);
    return { status: response?.status, body: await response?.json() };
  };
  expect(await startSignIn()).toMatchObject({ status: 404, body: { code: "PROVIDER_NOT_FOUND" } });

  const port = Number(at.port);
  const webhookUrl = `${publicUrl}/api/webhooks/stripe`;
  const sandbox = await startSandbox({ host, port, dataDir, webhookUrl, origins });
  expect(await startSignIn()).toMatchObject({
    status: 200,
    body: { url: expect.stringMatching(`^${at.origin}/google/`) },
  });
  await sandbox.stop();
});
