import { afterAll, beforeAll, expect, test } from "vitest";
import { createIdentity } from "../../testing/identity.ts";
import { openShop, type Shop } from "../../testing/shop.ts";
import { sandboxGoogle, startSandbox } from "../sandbox-process.ts";

let shop: Shop;

beforeAll(async () => {
  shop = await openShop({ sandbox: true });
});
afterAll(() => shop.close());

test("Google away when we start is found again once it answers", async () => {
  const { host, dataDir, origins, publicUrl } = shop.deps.config;
  const at = new URL(shop.sandbox?.url ?? "");
  await shop.sandbox?.stop();
  const discoveryUrl = `${at.origin}/google/.well-known/openid-configuration`;
  const identity = createIdentity(shop, { google: { ...sandboxGoogle, discoveryUrl } });

  const ask = async () => {
    const request = new Request(`${publicUrl}/api/auth/sign-in/social`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: publicUrl },
      body: JSON.stringify({ provider: "google", callbackURL: "/", disableRedirect: true }),
    });
    const answer = await identity.answer?.(request);
    return { status: answer?.status, body: await answer?.json() };
  };
  expect(await ask()).toMatchObject({ status: 404, body: { code: "PROVIDER_NOT_FOUND" } });

  const port = Number(at.port);
  const webhookUrl = `${publicUrl}/api/webhooks/stripe`;
  const back = await startSandbox({ host, port, dataDir, webhookUrl, origins });
  expect(await ask()).toMatchObject({
    status: 200,
    body: { url: expect.stringMatching(`^${at.origin}/google/`) },
  });
  await back.stop();
});
