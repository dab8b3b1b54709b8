import { createHash, randomBytes } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { describe, expect } from "vitest";
import { passwordHashing } from "#server/adapters/identity/password-hashing/password-hashing.ts";
import type { ScryptThreads } from "#server/adapters/identity/password-hashing/scrypt-threads.ts";
import { olderPasswordHash, setPasswordHash } from "#server/adapters/identity/testing.ts";
import { buildApp } from "#server/app.ts";
import { owaspScrypt, type ScryptCost } from "#server/config.ts";
import { createRateLimiter } from "#server/db/rate-limiter.ts";
import { knownDevices } from "#server/features/identity/auth-throttling.ts";
import { openBrowser, signUpIn } from "#server/testing/browser.ts";
import { shopTest } from "#server/testing/fixtures.ts";
import { createIdentity } from "#server/testing/identity.ts";
import { tokenIn, waitForMail } from "#server/testing/inbox.ts";
import type { Shop } from "#server/testing/shop.ts";

const test = shopTest({ sandbox: true, worker: true, env: { RATE_LIMIT: "on" } }).extend(
  "node",
  { scope: "file" },
  ({ shop }) => secondNode(shop),
);

test.afterAll(async ({ node }) => {
  await node.close();
});

const right = "Secret#2026";

async function secondNode(shop: Shop): Promise<FastifyInstance> {
  const rateLimiter = createRateLimiter(shop.pool, shop.deps.config);
  const identity = createIdentity(shop, { rateLimiter });
  return await buildApp({ ...shop.deps, rateLimiter, identity });
}

type Try = { email: string; password: string; from: string; cookie?: string; at?: FastifyInstance };

async function signIn(shop: Shop, { email, password, from, cookie = "", at = shop.app }: Try) {
  const answer = await at.inject({
    method: "POST",
    url: "/api/auth/sign-in/email",
    remoteAddress: from,
    headers: { origin: shop.url, cookie },
    payload: { email, password },
  });
  const cookies = [answer.headers["set-cookie"] ?? []].flat();
  const { statusCode: status, headers } = answer;
  return { status, headers, body: answer.json(), device: cookies.find(isDevice)?.split(";")[0] };
}

const isDevice = (line: string) => line.startsWith("secondlap.device=");

/** Counts wrong guesses until a 429. `origin` chooses each guess's IP address and device. */
async function guess(
  shop: Shop,
  email: string,
  origin: (tried: number) => Pick<Try, "from" | "cookie">,
): Promise<number> {
  for (let tried = 0; tried < 200; tried += 1) {
    const { status } = await signIn(shop, { email, password: `Wrong#${tried}`, ...origin(tried) });
    if (status === 429) return tried;
    expect(status).toBe(401);
  }
  return 200;
}

async function setHash(shop: Shop, email: string, hash: string): Promise<void> {
  await setPasswordHash(shop.deps.db, email, hash);
}

async function resetPassword(shop: Shop, email: string): Promise<string> {
  const browser = openBrowser(shop.url);
  await browser.post("/request-password-reset", { email });
  const token = tokenIn(await waitForMail(shop, email));
  const newPassword = "Another#2027";
  await browser.post("/reset-password", { token, newPassword });
  return newPassword;
}

describe("password guessing", () => {
  test("after ten wrong passwords, an IP address gets 429 with Retry-After, but other IP addresses and accounts are unaffected", async ({
    shop,
  }) => {
    const email = "ada@example.com";
    await signUpIn(shop.url, email);
    expect(await guess(shop, email, () => ({ from: "203.0.113.1" }))).toBe(10);
    const refused = await signIn(shop, { email, password: right, from: "203.0.113.1" });
    expect(refused).toMatchObject({
      status: 429,
      body: {
        code: "TOO_MANY_REQUESTS",
        message: "Too many attempts. Please wait 15 minutes and try again.",
      },
    });
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(800);
    expect((await signIn(shop, { email, password: right, from: "203.0.113.2" })).status).toBe(200);
    const other = await signIn(shop, {
      email: "b@example.com",
      password: right,
      from: "203.0.113.1",
    });
    expect(other.status).toBe(401);
  });

  test("after fifty guesses from many IP addresses, an account gets 429 except from a known device or after a password reset", async ({
    shop,
  }) => {
    const email = "grace@example.com";
    await signUpIn(shop.url, email);
    const { device = "" } = await signIn(shop, { email, password: right, from: "203.0.113.9" });
    // Simulates 45 wrong guesses from different IP addresses after the owner's login.
    await shop.pool.query("update rate_limits set points = 46 where key like 'guesses anywhere:%'");
    expect(await guess(shop, email, (tried) => ({ from: `198.51.100.${tried}` }))).toBe(4);
    const elsewhere = { email, password: right, from: "203.0.113.10" };
    expect((await signIn(shop, elsewhere)).status).toBe(429);
    expect((await signIn(shop, { ...elsewhere, cookie: device })).status).toBe(200);

    const mallory = "mallory@example.com";
    await signUpIn(shop.url, mallory);
    const { device: notHers = "" } = await signIn(shop, { ...elsewhere, email: mallory });
    for (const cookie of [notHers, `${device}x`, "secondlap.device=."]) {
      expect((await signIn(shop, { ...elsewhere, cookie })).status).toBe(429);
    }

    const password = await resetPassword(shop, email);
    expect((await signIn(shop, { ...elsewhere, password })).status).toBe(200);
  });

  test("an account owner locked out by an attack can log in after using a reset link", async ({
    shop,
  }) => {
    const email = "rosalind@example.com";
    await signUpIn(shop.url, email);
    const lockedOut = async () => {
      await signIn(shop, { email, password: "Wrong#2026", from: "198.51.100.200" });
      const key = `guesses anywhere:${createHash("sha256").update(email).digest("base64url")}`;
      await shop.pool.query("update rate_limits set points = 51 where key = $1", [key]);
    };
    await lockedOut();
    const from = "203.0.113.60";
    expect(await signIn(shop, { email, password: right, from })).toMatchObject({
      status: 429,
      body: { message: expect.stringContaining("Use Forget Password? to get in now") },
    });

    const browser = openBrowser(shop.url);
    await browser.post("/request-password-reset", { email });
    const token = tokenIn(await waitForMail(shop, email));
    const password = "Another#2027";
    await browser.post("/reset-password", { token, newPassword: password });
    await lockedOut();
    expect((await signIn(shop, { email, password, from })).status).toBe(429);
    const cookie = browser.cookies();
    expect((await signIn(shop, { email, password, from, cookie })).status).toBe(200);
  });

  test("a password reset clears the owner's own failed guesses on another node too", async ({
    shop,
    node,
  }) => {
    const email = "edith@example.com";
    const from = "127.0.0.1";
    await signUpIn(shop.url, email);
    expect(await guess(shop, email, () => ({ from }))).toBe(10);
    expect((await signIn(shop, { email, password: right, from, at: node })).status).toBe(429);
    const password = await resetPassword(shop, email);
    expect((await signIn(shop, { email, password, from, at: node })).status).toBe(200);
  });

  test("guesses do not lock out the owner's known device, even after SECRET becomes PREVIOUS_SECRET", async ({
    shop,
  }) => {
    const email = "hedy@example.com";
    const cookie = (await signUpIn(shop.url, email)).cookies();
    expect(cookie).toContain("secondlap.device=");
    expect(await guess(shop, email, () => ({ from: "203.0.113.20" }))).toBe(10);
    const refused = { email, password: right, from: "203.0.113.20" };
    expect((await signIn(shop, { ...refused, cookie })).status).toBe(200);
    const { publicUrl, secret } = shop.deps.config;
    const passwordVersion = (account: string) =>
      shop.deps.identity.accounts.passwordVersion(shop.deps.db, account);
    const changed = { publicUrl, passwordVersion, secret: "another secret, of 32 characters!" };
    const isKnown = async (previousSecret: string | undefined) =>
      (await knownDevices({ ...changed, previousSecret }).read(cookie, email)) !== undefined;
    expect([await isKnown(secret), await isKnown(undefined)]).toEqual([true, false]);
  });

  test("repeated logins keep a known device's ID, and devices known before a password reset give no extra guesses", async ({
    shop,
  }) => {
    const email = "katherine@example.com";
    const from = "203.0.113.40";
    const first = (await signUpIn(shop.url, email)).cookies();
    const comeAgain = async (cookie: string) =>
      (await signIn(shop, { email, password: right, from, cookie })).device ?? "";
    const deviceOf = (cookie: string) => /device=([\w-]+)/.exec(cookie)?.[1];
    const again = await comeAgain(first);
    expect(deviceOf(again)).toBe(deviceOf(first));
    const others = [await comeAgain(""), await comeAgain("")];

    await resetPassword(shop, email);
    const cookies = [first, again, ...others];
    const origin = (tried: number) => ({ from, cookie: cookies[tried % cookies.length] ?? "" });
    expect(await guess(shop, email, origin)).toBe(10);
  });

  test("a sign-in with an unusual body gets 400, 401 or 415", async ({ shop }) => {
    const bodies = [
      ["application/x-www-form-urlencoded", "email=ada%40example.com&password=Wrong%231", 415],
      ["application/json", `\ufeff{"email":"ada@example.com","password":"Wrong#1"}`, 401],
      ["application/json", `{"email":["ada@example.com"],"password":"Wrong#1"}`, 400],
      ["application/json", `"ada@example.com"`, 400],
    ] as const;
    for (const [type, body, status] of bodies) {
      const headers = { origin: shop.url, "content-type": type };
      const answer = await fetch(`${shop.url}/api/auth/sign-in/email`, {
        method: "POST",
        headers,
        body,
      });
      expect(answer.status).toBe(status);
    }
  });
});

describe("signing in with an unknown email address", () => {
  test("an unknown email address gets the same response as a wrong password, after the same amount of work", async ({
    shop,
  }) => {
    const derived: ScryptCost[] = [];
    const threads: ScryptThreads = {
      derive: async ({ cost }) => {
        derived.push(cost);
        return randomBytes(64);
      },
      close: async () => {},
    };
    const passwords = passwordHashing(threads, owaspScrypt);
    const identity = createIdentity(shop, { passwords });
    const at = await buildApp({ ...shop.deps, identity });
    await signUpIn(shop.url, "known@example.com");
    await signUpIn(shop.url, "from-before@example.com");
    await setHash(shop, "known@example.com", await passwords.hash(right));
    await setHash(shop, "from-before@example.com", olderPasswordHash(right));
    const answers: Awaited<ReturnType<typeof signIn>>[] = [];
    const workFor = async (email: string) => {
      derived.length = 0;
      answers.push(await signIn(shop, { email, password: "Wrong#2026", from: "203.0.113.30", at }));
      return derived.reduce((sum, { N, r, p }) => sum + N * r * p, 0);
    };
    const unknown = await workFor("nobody@example.com");
    expect(derived).toEqual([{ N: 131_072, r: 8, p: 1 }]);
    expect(await workFor("known@example.com")).toBe(unknown);
    expect(await workFor("from-before@example.com")).toBe(unknown);
    await at.close();

    const [first, ...others] = answers;
    for (const answer of others) {
      expect(answer.status).toBe(401);
      expect(answer.body).toEqual(first?.body);
      expect(Object.keys(answer.headers)).toEqual(Object.keys(first?.headers ?? {}));
    }
  });

  test("an unknown email address gets 429 after ten guesses", async ({ shop }) => {
    expect(await guess(shop, "never@example.com", () => ({ from: "203.0.113.31" }))).toBe(10);
  });
});

test("a password hashed with old parameters is accepted and rehashed once", async ({ shop }) => {
  const email = "old-hash@example.com";
  await signUpIn(shop.url, email);
  const before = olderPasswordHash(right);
  await setHash(shop, email, before);
  const stored = () => shop.deps.identity.accounts.passwordVersion(shop.deps.db, email);
  const from = "203.0.113.50";
  expect((await signIn(shop, { email, password: "Wrong#2026", from })).status).toBe(401);
  expect(await stored()).toBe(before);
  expect((await signIn(shop, { email, password: right, from })).status).toBe(200);
  const renewed = await stored();
  expect(renewed).toMatch(/^\$scrypt\$ln=4,r=8,p=1\$/);
  expect((await signIn(shop, { email, password: right, from })).status).toBe(200);
  expect(await stored()).toBe(renewed);
});
