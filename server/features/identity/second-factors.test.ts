import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listSessions, readSecondFactors } from "#contract/account.ts";
import { listAuditLog } from "#contract/audit.ts";
import { send } from "#contract/client.ts";
import { isAdmin, issueToken, listBuyers } from "#contract/members.ts";
import { deleteProduct } from "#contract/products.ts";
import {
  findTwoFactor,
  insertPasskey,
  updateSessions,
  updateUser,
} from "../../adapters/identity/testing.ts";
import { type Browser, openBrowser, signUpAt } from "../../testing/browser.ts";
import { continueWithGoogle } from "../../testing/google.ts";
import { createMember, errorOf, type Person, sell } from "../../testing/people.ts";
import { openShop, type Shop } from "../../testing/shop.ts";
import { secretIn, totp } from "../../testing/totp.ts";

let shop: Shop;

beforeAll(async () => {
  const env = { RATE_LIMIT: "on", ADMIN_SECOND_FACTOR: "required" };
  shop = await openShop({ sandbox: true, env });
});
afterAll(() => shop.close());

const password = "Secret#2026";

/** Signs in with the right password; whether that was enough. */
async function logIn(email: string, browser = openBrowser(shop.url)) {
  const answer = await browser.post("/sign-in/email", { email, password });
  const body = (await answer.json()) as { twoFactorRedirect?: boolean; code?: string };
  return { browser, status: answer.status, ...body };
}

/** Somebody who signed up and turned on two-step verification, with the code of half a minute ago. */
async function withApp(email: string) {
  await signUpAt(shop.url, email, "buyer");
  const { browser } = await logIn(email);
  const answer = await browser.post("/two-factor/enable", { password });
  const enabled = (await answer.json()) as { totpURI: string; backupCodes: string[] };
  const secret = secretIn(enabled.totpURI);
  const confirmed = await browser.post("/two-factor/verify-totp", {
    code: totp(secret, { steps: -1 }),
  });
  expect(confirmed.status).toBe(200);
  return { email, browser, secret, backupCodes: enabled.backupCodes };
}

async function codeOf(answer: Promise<Response>) {
  const { status, body } = await answer.then(async (one) => ({
    status: one.status,
    body: await one.json(),
  }));
  return [status, (body as { code?: string }).code];
}

async function connect(browser: Browser, email: string) {
  const { accessToken } = (await send(browser.connection, issueToken, { query: { email } })).body;
  return { ...browser.connection, token: () => accessToken };
}

test("codes are those of RFC 6238", () => {
  const secret = Buffer.from("12345678901234567890");
  const at = [59, 1111111109, 1111111111, 1234567890, 2000000000];
  expect(at.map((seconds) => totp(secret, { at: seconds * 1_000, digits: 8 }))).toEqual([
    ...["94287082", "07081804", "14050471", "89005924", "69279037"],
  ]);
});

describe("two-step verification", () => {
  test("asks for a code after the password, and there is no session before it", async () => {
    const { email, secret } = await withApp("ada@example.com");
    const { browser, twoFactorRedirect } = await logIn(email);
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

  test("takes a code once, also when it is sent twice at the same time", async () => {
    const { email, secret } = await withApp("bea@example.com");
    const [one, other] = [(await logIn(email)).browser, (await logIn(email)).browser];
    const code = totp(secret);
    const answers = await Promise.all(
      [one, other].map((browser) => browser.post("/two-factor/verify-totp", { code })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    const late = (await logIn(email)).browser;
    expect(await codeOf(late.post("/two-factor/verify-totp", { code }))).toEqual([
      401,
      "CODE_USED",
    ]);
  });

  test("takes a backup code once, and trusts no browser afterwards", async () => {
    const { email, backupCodes } = await withApp("cleo@example.com");
    expect(new Set(backupCodes).size).toBe(10);
    const [code] = backupCodes;
    const { browser } = await logIn(email);
    const first = await browser.post("/two-factor/verify-backup-code", { code, trustDevice: true });
    expect(first.status).toBe(200);
    expect((await logIn(email, browser)).twoFactorRedirect).toBe(true);
    expect(await codeOf(browser.post("/two-factor/verify-backup-code", { code }))).toEqual([
      401,
      "INVALID_BACKUP_CODE",
    ]);
  });

  test("stops guessing at five codes a challenge and ten an account, and leaves the right code out too", async () => {
    const { email, secret } = await withApp("dora@example.com");
    const wrong = Array.from({ length: 12 }, (_, at) => String(at).padStart(6, "9"));
    let { browser } = await logIn(email);
    const refused: unknown[] = [];
    for (const code of wrong) {
      const answer = await codeOf(browser.post("/two-factor/verify-totp", { code }));
      refused.push(answer[1]);
      if (answer[1] === "TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE") ({ browser } = await logIn(email));
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

  test("stops guessing codes and passwords in a stolen session", async () => {
    const { browser } = await withApp("edith@example.com");
    const statuses: number[] = [];
    for (let tried = 0; tried < 21; tried += 1) {
      const code = String(tried).padStart(6, "8");
      statuses.push((await browser.post("/two-factor/disable", { password, code })).status);
    }
    expect([statuses[0], statuses.at(-1)]).toEqual([401, 429]);
  });

  test("is turned off by the password and a code, not by the password alone", async () => {
    const { email, browser, secret } = await withApp("flora@example.com");
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
    expect((await logIn(email)).twoFactorRedirect).toBeUndefined();
    expect((await send(await connect(browser, email), readSecondFactors, {})).body).toMatchObject({
      authenticatorApp: false,
      shown: false,
    });
  });

  test("gives ten other backup codes for a code, and those before are good no more", async () => {
    const { email, browser, secret, backupCodes } = await withApp("grete@example.com");
    expect((await browser.post("/two-factor/generate-backup-codes", { password })).status).toBe(
      401,
    );
    const answer = await browser.post("/two-factor/generate-backup-codes", {
      password,
      code: totp(secret),
    });
    const made = ((await answer.json()) as { backupCodes: string[] }).backupCodes;
    expect(made).toHaveLength(10);
    const later = (await logIn(email)).browser;
    const [code] = backupCodes;
    expect((await later.post("/two-factor/verify-backup-code", { code })).status).toBe(401);
    expect((await later.post("/two-factor/verify-backup-code", { code: made[0] })).status).toBe(
      200,
    );
  });

  test("ends the sessions that were opened without it, and is in the audit log", async () => {
    const email = "hanna@example.com";
    const before = await signUpAt(shop.url, email, "buyer");
    await send(before, listSessions, {});
    const { browser } = await logIn(email);
    const enabled = (await (await browser.post("/two-factor/enable", { password })).json()) as {
      totpURI: string;
    };
    await browser.post("/two-factor/verify-totp", { code: totp(secretIn(enabled.totpURI)) });
    expect(await errorOf(send(before, listSessions, {}))).toMatchObject({ status: 401 });
    expect((await send(await connect(browser, email), listSessions, {})).body).toHaveLength(1);
    const admin = await provenAdmin();
    const log = await admin.call(listAuditLog, { query: { email } });
    expect(log.map(({ verb }) => verb)).toContain("turn on two-step verification");
  });

  test("asks after Google's sign-in too", async () => {
    const { email, secret } = await withApp("ida@example.com");
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

  test("keeps secrets and backup codes encrypted", async () => {
    const { email, secret, backupCodes } = await withApp("jana@example.com");
    const row = await findTwoFactor(shop.deps.db, email);
    expect(JSON.stringify(row)).not.toContain(secret.toString());
    for (const code of backupCodes) expect(JSON.stringify(row)).not.toContain(code);
  });
});

describe("a passkey", () => {
  test("can't be added to or replaced by somebody who has the password alone", async () => {
    const email = "lena@example.com";
    await signUpAt(shop.url, email, "buyer");
    const { browser } = await logIn(email);
    const { id = "" } = (await browser.user()) ?? {};
    const kept = {
      publicKey: "",
      credentialID: "credential",
      counter: 0,
      deviceType: "singleDevice",
    };
    await insertPasskey(shop.deps.db, {
      id: "passkey",
      userId: id,
      name: "Phone",
      backedUp: false,
      ...kept,
    });
    const answers = [
      browser.post("/two-factor/enable", { password }),
      browser.post("/passkey/verify-registration", { response: {}, name: "Mine" }),
      browser.post("/passkey/delete-passkey", { id: "passkey" }),
      browser.visit(`${shop.url}/api/auth/passkey/generate-register-options`),
    ];
    for (const answer of answers)
      expect(await codeOf(answer)).toEqual([403, "SECOND_FACTOR_NOT_SHOWN"]);
    const other = openBrowser(shop.url);
    await other.post("/sign-in/email", {
      email: (await withApp("maja@example.com")).email,
      password,
    });
    expect((await other.post("/passkey/delete-passkey", { id: "passkey" })).status).toBe(401);
    expect((await browser.user())?.id).toBe(id);
  });
});

/** An admin in whose session a second factor was shown, or was not. */
async function provenAdmin(secondFactor = true): Promise<Person> {
  const admin = await createMember(shop, { isAdmin: true });
  await updateSessions(shop.deps.db, { secondFactor }, admin.email);
  return admin;
}

describe("an admin", () => {
  test("without a second factor does nothing as an admin, and is told where to set it up", async () => {
    const [seller, admin] = [
      await createMember(shop, { accountType: "seller" }),
      await provenAdmin(false),
    ];
    const id = await sell(shop, seller);
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

  test("with one does", async () => {
    const [seller, admin] = [
      await createMember(shop, { accountType: "seller" }),
      await provenAdmin(),
    ];
    const id = await sell(shop, seller);
    expect(await admin.call(listBuyers, {})).toBeInstanceOf(Array);
    await admin.call(deleteProduct, { params: { id } });
  });

  test("who turns two-step verification on goes on at once, and signed in anew by a code", async () => {
    const { email, browser, secret } = await withApp("karla@example.com");
    await shop.deps.db
      .updateTable("members")
      .set({ is_admin: true })
      .where("email", "=", email)
      .execute();
    await send(await connect(browser, email), listBuyers, {});
    const { browser: later } = await logIn(email);
    await later.post("/two-factor/verify-totp", { code: totp(secret) });
    await send(await connect(later, email), listBuyers, {});
  });
});
