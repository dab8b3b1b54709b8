import { describe, expect } from "vitest";
import { listSessions, readSecondFactors } from "#contract/account.ts";
import { listAuditLog } from "#contract/audit.ts";
import { send } from "#contract/client.ts";
import { isAdmin, issueToken, listBuyers } from "#contract/members.ts";
import { deleteProduct } from "#contract/products.ts";
import { findTwoFactor, insertPasskey, updateUser } from "../../adapters/identity/testing.ts";
import { connect, logIn, openBrowser, password, signUpAt } from "../../testing/browser.ts";
import { shopTest } from "../../testing/fixtures.ts";
import { listing } from "../../testing/marketplace.ts";
import { errorOf } from "../../testing/people.ts";
import { continueWithGoogle } from "../../testing/provider-sign-in.ts";
import { secretIn, totp } from "../../testing/totp.ts";
import { createAdmin, signUpWithApp } from "../../testing/two-factor.ts";

const test = shopTest({
  sandbox: true,
  env: { RATE_LIMIT: "on", ADMIN_SECOND_FACTOR: "required" },
});

async function codeOf(answer: Promise<Response>) {
  const response = await answer;
  return [response.status, ((await response.json()) as { code?: string }).code];
}

describe("two-step verification", () => {
  test("two-step verification stores no secret in plain text, and creates no session before the code is entered", async ({
    shop,
  }) => {
    const { email, secret, backupCodes } = await signUpWithApp(shop.url, "ada@example.com");
    const row = JSON.stringify(await findTwoFactor(shop.deps.db, email));
    for (const one of [secret.toString(), ...backupCodes]) expect(row).not.toContain(one);
    const { browser, twoFactorRedirect } = await logIn(shop.url, email);
    expect(twoFactorRedirect).toBe(true);
    expect(browser.cookies()).not.toContain("session_token");
    expect(await browser.user()).toBeUndefined();
    expect(await errorOf(send(browser.connection, issueToken, { query: { email } }))).toMatchObject(
      { status: 401 },
    );
    expect(await codeOf(browser.post("/two-factor/verify-totp", { code: "12345" }))).toEqual([
      401,
      "INVALID_CODE",
    ]);
    const answer = await browser.post("/two-factor/verify-totp", { code: totp(secret) });
    expect([answer.status, await browser.user()]).toMatchObject([200, { email }]);
    expect((await send(await connect(browser, email), readSecondFactors, {})).body).toMatchObject({
      authenticatorApp: true,
      hasPassword: true,
      shown: true,
    });
  });

  test("a TOTP code works only once, even in two concurrent requests", async ({ shop }) => {
    const { email, secret } = await signUpWithApp(shop.url, "bea@example.com");
    const [one, other] = [
      (await logIn(shop.url, email)).browser,
      (await logIn(shop.url, email)).browser,
    ];
    const code = totp(secret);
    const answers = await Promise.all(
      [one, other].map((browser) => browser.post("/two-factor/verify-totp", { code })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    const late = (await logIn(shop.url, email)).browser;
    expect(await codeOf(late.post("/two-factor/verify-totp", { code }))).toEqual([
      401,
      "CODE_USED",
    ]);
  });

  test("a backup code works only once, doesn't make the browser a trusted device, and becomes invalid when new codes are generated", async ({
    shop,
  }) => {
    const cleo = await signUpWithApp(shop.url, "cleo@example.com");
    const { email, backupCodes } = cleo;
    expect(new Set(backupCodes).size).toBe(10);
    const [code, unused] = backupCodes;
    const { browser } = await logIn(shop.url, email);
    const first = await browser.post("/two-factor/verify-backup-code", { code, trustDevice: true });
    expect(first.status).toBe(200);
    expect((await logIn(shop.url, email, { browser })).twoFactorRedirect).toBe(true);
    expect(await codeOf(browser.post("/two-factor/verify-backup-code", { code }))).toEqual([
      401,
      "INVALID_BACKUP_CODE",
    ]);

    const generate = (body: object) =>
      cleo.browser.post("/two-factor/generate-backup-codes", { password, ...body });
    expect((await generate({})).status).toBe(401);
    const answer = await generate({ code: totp(cleo.secret) });
    const made = ((await answer.json()) as { backupCodes: string[] }).backupCodes;
    expect(made).toHaveLength(10);
    const later = (await logIn(shop.url, email)).browser;
    const enter = async (backupCode = "") =>
      (await later.post("/two-factor/verify-backup-code", { code: backupCode })).status;
    expect([await enter(unused), await enter(made[0])]).toEqual([401, 200]);
  });

  test("code guesses are limited to five per challenge and ten per account, after which even the correct code is rejected", async ({
    shop,
  }) => {
    const { email, secret } = await signUpWithApp(shop.url, "dora@example.com");
    const wrong = Array.from({ length: 12 }, (_, at) => String(at).padStart(6, "9"));
    let { browser } = await logIn(shop.url, email);
    const refused: unknown[] = [];
    for (const code of wrong) {
      const answer = await codeOf(browser.post("/two-factor/verify-totp", { code }));
      refused.push(answer[1]);
      if (answer[1] === "TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE")
        ({ browser } = await logIn(shop.url, email));
    }
    expect(refused.slice(0, 6)).toEqual([
      ...Array(5).fill("INVALID_CODE"),
      "TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE",
    ]);
    expect(refused.at(-1)).toBe("ACCOUNT_TEMPORARILY_LOCKED");
    expect(await codeOf(browser.post("/two-factor/verify-totp", { code: totp(secret) }))).toEqual([
      429,
      "ACCOUNT_TEMPORARILY_LOCKED",
    ]);
  });

  test("code guesses in a stolen session are limited", async ({ shop }) => {
    const { browser } = await signUpWithApp(shop.url, "edith@example.com");
    const statuses: number[] = [];
    for (let tried = 0; tried < 21; tried += 1) {
      const code = String(tried).padStart(6, "8");
      statuses.push((await browser.post("/two-factor/disable", { password, code })).status);
    }
    expect([statuses[0], statuses.at(-1)]).toEqual([401, 429]);
  });

  test("turning off two-step verification requires the password and a code", async ({ shop }) => {
    const { email, browser, secret } = await signUpWithApp(shop.url, "flora@example.com");
    for (const body of [
      { password },
      { password, code: "000000" },
      { password, code: "abcde-fghij" },
    ])
      expect(await codeOf(browser.post("/two-factor/disable", body))).toEqual([
        401,
        "INVALID_CODE",
      ]);
    expect(
      await codeOf(
        browser.post("/two-factor/disable", { password: "Wrong#2026", code: totp(secret) }),
      ),
    ).toEqual([400, "INVALID_PASSWORD"]);
    const off = await browser.post("/two-factor/disable", {
      password,
      code: totp(secret, { steps: 1 }),
    });
    expect(off.status).toBe(200);
    expect((await logIn(shop.url, email)).twoFactorRedirect).toBeUndefined();
    expect((await send(await connect(browser, email), readSecondFactors, {})).body).toMatchObject({
      authenticatorApp: false,
      shown: false,
    });
  });

  test("turning on two-step verification ends old sessions and is audited", async ({ shop }) => {
    const email = "hanna@example.com";
    const before = await signUpAt(shop.url, email, "buyer");
    await send(before, listSessions, {});
    const { browser } = await logIn(shop.url, email);
    const enabled = (await (await browser.post("/two-factor/enable", { password })).json()) as {
      totpURI: string;
    };
    await browser.post("/two-factor/verify-totp", { code: totp(secretIn(enabled.totpURI)) });
    expect(await errorOf(send(before, listSessions, {}))).toMatchObject({ status: 401 });
    expect((await send(await connect(browser, email), listSessions, {})).body).toHaveLength(1);
    const admin = await createAdmin(shop);
    const log = await admin.call(listAuditLog, { query: { email } });
    expect(log.map(({ verb }) => verb)).toContain("turn on two-step verification");
  });

  test("two-step verification also asks for a code after a Google sign-in", async ({ shop }) => {
    const { email, secret } = await signUpWithApp(shop.url, "ida@example.com");
    await updateUser(shop.deps.db, email, { emailVerified: true });
    const browser = openBrowser(shop.url);
    expect(await continueWithGoogle(browser, { name: "Ida", email, verified: true })).toBe(
      "second_step_required",
    );
    expect(browser.cookies()).not.toContain("session_token");
    expect(await browser.user()).toBeUndefined();
    expect((await browser.post("/two-factor/verify-totp", { code: totp(secret) })).status).toBe(
      200,
    );
    expect(await browser.user()).toMatchObject({ email });
  });
});

describe("a passkey", () => {
  test("a passkey can't be added, replaced or deleted with only the password", async ({ shop }) => {
    const email = "lena@example.com";
    await signUpAt(shop.url, email, "buyer");
    const { browser } = await logIn(shop.url, email);
    const { id = "" } = (await browser.user()) ?? {};
    await insertPasskey(shop.deps.db, id, "passkey");
    const answers = [
      browser.post("/two-factor/enable", { password }),
      browser.post("/passkey/verify-registration", { response: {}, name: "Mine" }),
      browser.post("/passkey/delete-passkey", { id: "passkey" }),
      browser.visit(`${shop.url}/api/auth/passkey/generate-register-options`),
    ];
    for (const answer of answers)
      expect(await codeOf(answer)).toEqual([403, "SECOND_FACTOR_NOT_SHOWN"]);
    const { email: another } = await signUpWithApp(shop.url, "maja@example.com");
    const { browser: other } = await logIn(shop.url, another);
    expect((await other.post("/passkey/delete-passkey", { id: "passkey" })).status).toBe(401);
    expect((await browser.user())?.id).toBe(id);
  });
});

describe("an admin of a shop that requires second factors", () => {
  test("an admin without a second factor can't act as an admin, and the error says where to set one up", async ({
    shop,
    seller,
  }) => {
    const admin = await createAdmin(shop, { secondFactor: false });
    const id = await listing(seller);
    const required = {
      status: 403,
      code: "SECOND_FACTOR_REQUIRED",
      message: "Admins need two-step verification. Set it up under Profile, then log in with it.",
    };
    expect(await errorOf(admin.call(listBuyers, {}))).toMatchObject(required);
    expect(await errorOf(admin.call(isAdmin, { params: { email: seller.email } }))).toMatchObject(
      required,
    );
    expect(await errorOf(admin.call(deleteProduct, { params: { id } }))).toMatchObject({
      status: 404,
    });
    expect(await admin.call(isAdmin, { params: { email: admin.email } })).toEqual({
      isAdmin: true,
    });
    expect(await admin.call(readSecondFactors, {})).toMatchObject({ required: true, shown: false });
  });

  test("an admin can act as an admin right after turning on two-step verification or signing in with a code", async ({
    shop,
    seller,
  }) => {
    const { email, browser, secret } = await signUpWithApp(shop.url, "karla@example.com");
    await shop.deps.db
      .updateTable("members")
      .set({ staff_role: "owner" })
      .where("email", "=", email)
      .execute();
    await send(await connect(browser, email), listBuyers, {});
    const { browser: later } = await logIn(shop.url, email);
    await later.post("/two-factor/verify-totp", { code: totp(secret) });
    const admin = await connect(later, email);
    expect((await send(admin, listBuyers, {})).body).toBeInstanceOf(Array);
    await send(admin, deleteProduct, { params: { id: await listing(seller) } });
  });
});
