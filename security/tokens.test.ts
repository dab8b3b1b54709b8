import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { send } from "#contract/client.ts";
import { issueToken, joinAsMember, listBuyers } from "#contract/members.ts";
import { buildApp } from "#server/app.ts";
import { changeAdmin } from "#server/features/members/admins.ts";
import { createLimits } from "#server/limits.ts";
import { embeddedIdentity } from "#server/ports/identity/embedded.ts";
import { type Browser, signUpIn } from "#server/testing/browser.ts";
import { memberOf, refusalOf } from "#server/testing/people.ts";
import { openShop, type Shop } from "#server/testing/shop.ts";

let shop: Shop;

beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

/** Somebody who has signed up in a browser, and the token they got there. */
async function somebody(): Promise<{ email: string; browser: Browser; token: string }> {
  const email = `${crypto.randomUUID()}@example.com`;
  const browser = await signUpIn(shop.url, email);
  const body = { name: "Ada", email, accountType: "buyer" as const };
  await send(browser.connection, joinAsMember, { body });
  return { email, browser, token: await tokenOf(browser, email) };
}

async function tokenOf({ connection }: Browser, email: string): Promise<string> {
  return (await send(connection, issueToken, { query: { email } })).body.accessToken;
}

/** The status that whoever has this token meets. */
async function statusBy(token: string): Promise<number> {
  const answer = await fetch(`${shop.url}/api/users/sessions`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return answer.status;
}

describe("a token", () => {
  test("is good for fifteen minutes and no second longer", async () => {
    const buyer = await memberOf(shop);
    const token = await buyer.token();
    shop.clock.advance(15 - 1 / 60);
    expect(await statusBy(token)).toBe(200);
    shop.clock.advance(1 / 60);
    expect(await statusBy(token)).toBe(401);
  });

  test("ends when its member signs out, on the server", async () => {
    const { browser, token } = await somebody();
    expect(await statusBy(token)).toBe(200);
    expect((await browser.post("/sign-out", {})).status).toBe(200);
    expect(await statusBy(token)).toBe(401);
  });

  test("does nothing of an admin's from the moment they are none", async () => {
    const admin = await memberOf(shop, { isAdmin: true });
    // The last admin can't be revoked.
    await memberOf(shop, { isAdmin: true });
    await admin.call(listBuyers, {});
    await changeAdmin(shop.deps, { email: admin.email, isAdmin: false });
    expect(await refusalOf(admin.call(listBuyers, {}))).toMatchObject({ code: "FORBIDDEN" });
  });
});

describe("a new SECRET", () => {
  /** The same shop, run with another secret. */
  async function withSecret(secret: string, previousSecret: string | undefined) {
    const config = { ...shop.deps.config, secret, previousSecret };
    const limits = createLimits(shop.pool, config);
    const identity = embeddedIdentity(shop.deps.db, {
      ...config,
      limits,
      passwords: shop.passwords,
      google: undefined,
    });
    return await buildApp({ ...shop.deps, config, identity });
  }

  test("signs nobody out whose session or token the one before it signed", async () => {
    const { email, browser, token } = await somebody();
    const { secret } = shop.deps.config;
    const cookie = browser.cookies();
    const after = await withSecret("another secret, of 32 characters!", secret);
    const long = await withSecret("another secret, of 32 characters!", undefined);
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
});
