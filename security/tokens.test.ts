import { describe, expect } from "vitest";
import { send } from "#contract/client.ts";
import { issueToken, joinAsMember, listBuyers } from "#contract/members.ts";
import { reencryptSecondFactors } from "#server/adapters/identity/secret-change.ts";
import { buildApp } from "#server/app.ts";
import { createRateLimiter } from "#server/db/rate-limiter.ts";
import { changeAdmin } from "#server/features/staff/change-staff-role.ts";
import { type Browser, password, signUpIn } from "#server/testing/browser.ts";
import { shopTest } from "#server/testing/fixtures.ts";
import { createIdentity } from "#server/testing/identity.ts";
import { errorOf, member } from "#server/testing/people.ts";
import type { Shop } from "#server/testing/shop.ts";
import { totp } from "#server/testing/totp.ts";
import { signUpWithApp } from "#server/testing/two-factor.ts";

const test = shopTest();

async function somebody(shop: Shop): Promise<{ email: string; browser: Browser; token: string }> {
  const email = `${crypto.randomUUID()}@example.com`;
  const browser = await signUpIn(shop.url, email);
  const body = { name: "Ada", email, accountType: "buyer" as const };
  await send(browser.connection, joinAsMember, { body });
  return { email, browser, token: await tokenOf(browser, email) };
}

async function tokenOf({ connection }: Browser, email: string): Promise<string> {
  return (await send(connection, issueToken, { query: { email } })).body.accessToken;
}

async function statusBy(shop: Shop, token: string): Promise<number> {
  const answer = await fetch(`${shop.url}/api/users/sessions`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return answer.status;
}

describe("access tokens", () => {
  test("an access token is valid for exactly fifteen minutes, even if it was verified before", async ({
    shop,
  }) => {
    const buyer = await member(shop);
    const token = await buyer.token();
    shop.clock.advance(15 - 1 / 60);
    expect(await statusBy(shop, token)).toBe(200);
    shop.clock.advance(1 / 60);
    expect(await statusBy(shop, token)).toBe(401);
  });

  test("an access token is invalid after its session has ended", async ({ shop }) => {
    const { browser, token } = await somebody(shop);
    expect(await statusBy(shop, token)).toBe(200);
    expect((await browser.post("/sign-out", {})).status).toBe(200);
    expect(await statusBy(shop, token)).toBe(401);
  });

  test("an access token loses admin rights as soon as the rights are revoked", async ({ shop }) => {
    const admin = await member(shop, { isAdmin: true });
    // The last admin's rights can't be revoked.
    await member(shop, { isAdmin: true });
    await admin.call(listBuyers, {});
    await changeAdmin(shop.deps, { email: admin.email, isAdmin: false });
    expect(await errorOf(admin.call(listBuyers, {}))).toMatchObject({ code: "FORBIDDEN" });
  });
});

async function withSecret(shop: Shop, secret: string, previousSecret: string | undefined) {
  const config = { ...shop.deps.config, secret, previousSecret };
  const rateLimiter = createRateLimiter(shop.pool, config);
  const identity = createIdentity(shop, { config, rateLimiter });
  return await buildApp({ ...shop.deps, config, identity });
}

describe("a new SECRET", () => {
  test("sessions and tokens signed with the previous SECRET stay valid until that SECRET is removed", async ({
    shop,
  }) => {
    const { email, browser, token } = await somebody(shop);
    const { secret } = shop.deps.config;
    const cookie = browser.cookies();
    const after = await withSecret(shop, "another secret, of 32 characters!", secret);
    const long = await withSecret(shop, "another secret, of 32 characters!", undefined);
    const ask = async (app: typeof after) => {
      const headers = { authorization: `Bearer ${token}`, cookie };
      const listed = await app.inject({ url: "/api/users/sessions", headers });
      const issued = await app.inject({ url: "/api/jwt", query: { email }, headers });
      const session = await app.inject({ url: "/api/auth/get-session", headers });
      return [listed.statusCode, issued.statusCode, session.json()?.user.email];
    };
    expect(await ask(after)).toEqual([200, 200, email]);
    expect(await ask(long)).toEqual([401, 401, undefined]);
    await Promise.all([after.close(), long.close()]);
  });

  test("authenticator apps and backup codes work after SECRET changes and, once re-encrypted, without the previous SECRET", async ({
    shop,
  }) => {
    const { email, secret, backupCodes } = await signUpWithApp(shop.url, "app@example.com");
    const [old, next] = [shop.deps.config.secret, "another secret, of 32 characters!"];
    const [during, after] = [
      await withSecret(shop, next, old),
      await withSecret(shop, next, undefined),
    ];
    const logIn = async (app: typeof during, step: string, code: string | undefined) => {
      const post = (path: string, payload: object, cookie = "") =>
        app.inject({
          method: "POST",
          url: `/api/auth${path}`,
          headers: { origin: shop.url, cookie },
          payload,
        });
      const { cookies } = await post("/sign-in/email", { email, password });
      const cookie = cookies.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`);
      return (await post(`/two-factor/${step}`, { code }, cookie.join("; "))).statusCode;
    };
    expect(await logIn(during, "verify-totp", totp(secret))).toBe(200);
    expect(await logIn(during, "verify-backup-code", backupCodes[0])).toBe(200);

    const secrets = { secret: next, previousSecret: old };
    expect(await reencryptSecondFactors(shop.deps.db, secrets)).toEqual({ unreadable: 0 });
    expect(await logIn(after, "verify-totp", totp(secret, { steps: 1 }))).toBe(200);
    expect(await logIn(after, "verify-backup-code", backupCodes[0])).toBe(401);
    expect(await logIn(after, "verify-backup-code", backupCodes[1])).toBe(200);

    const lost = { secret: "a third secret, with 32 characters", previousSecret: undefined };
    expect(await reencryptSecondFactors(shop.deps.db, lost)).toEqual({ unreadable: 1 });
    await Promise.all([during.close(), after.close()]);
  });
});
