import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sandboxGoogle } from "../../settings/production-checks.ts";
import { connect, logIn, openBrowser, password, signUpAt } from "../../testing/browser.ts";
import { freePort } from "../../testing/free-port.ts";
import { createIdentity } from "../../testing/identity.ts";
import { openShop, type Shop } from "../../testing/shop.ts";
import { secretIn, totp } from "../../testing/totp.ts";
import { startSandbox } from "../sandbox-process.ts";
import type { Identity } from "./port.ts";
import { testIdentity } from "./suite.ts";
import { findSessions, findUser } from "./testing.ts";

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
    async signUp(email, password) {
      const person = { name: "Eve", email, password };
      expect((await openBrowser(shop.url).post("/sign-up/email", person)).status).toBe(200);
    },
    async signIn(email, password) {
      const browser = openBrowser(shop.url);
      const response = await browser.post("/sign-in/email", { email, password });
      if (!response.ok) throw new Error(await response.text());
      return new Headers({ cookie: browser.cookies() });
    },
  }));
});

test("the embedded service uses the injected clock for sessions, password resets and second-factor changes", async () => {
  const { db } = shop.deps;
  const email = "clock@example.com";
  await signUpAt(shop.url, email, "buyer");
  shop.clock.advance(60);
  const now = shop.clock.now();
  const { browser: loggedIn } = await logIn(shop.url, email);
  await loggedIn.user();
  await connect(loggedIn, email);
  const sessions = await findSessions(db, email);
  expect(sessions.map(({ updatedAt }) => updatedAt)).toContainEqual(now);

  const enabled = await loggedIn.post("/two-factor/enable", { password });
  const { totpURI } = (await enabled.json()) as { totpURI: string };
  await loggedIn.post("/two-factor/verify-totp", { code: totp(secretIn(totpURI)) });
  const token = await shop.deps.identity.resetLinks.create(db, email, now);
  const reset = { token, newPassword: "Another#2027" };
  expect((await openBrowser(shop.url).post("/reset-password", reset)).status).toBe(200);
  expect(await findUser(db, email)).toMatchObject({ updatedAt: now });
  const entries = await db
    .selectFrom("audit_log")
    .select(["verb", "at"])
    .where("verb", "in", ["turn on two-step verification", "reset password"])
    .execute();
  expect(entries.map(({ at }) => at)).toEqual([now, now]);
});

test("if Google is down at startup, Google sign-ins can start as soon as Google is reachable", async () => {
  const { host, dataDir, origins, publicUrl } = shop.deps.config;
  const port = await freePort();
  const issuer = `http://${host}:${port}/google`;
  const google = { id: "google", label: "Google", issuer } as const;
  const identity = createIdentity(shop, { providers: [{ ...google, ...sandboxGoogle }] });

  const startSignIn = async () => {
    const request = new Request(`${publicUrl}/api/auth/sign-in/social`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: publicUrl },
      body: JSON.stringify({ provider: "google", callbackURL: "/", disableRedirect: true }),
    });
    const response = await identity.handleRequest(request);
    return { status: response.status, body: await response.json() };
  };
  await expect(startSignIn()).rejects.toMatchObject({
    code: "UNAVAILABLE",
    message: "We can't reach Google right now. Try again in a minute, or log in with your email.",
  });

  const webhookUrl = `${publicUrl}/api/webhooks/stripe`;
  const sandbox = await startSandbox({ host, port, dataDir, webhookUrl, origins });
  expect(await startSignIn()).toMatchObject({
    status: 200,
    body: { url: expect.stringMatching(`^${issuer}/`) },
  });
  await sandbox.stop();
});
