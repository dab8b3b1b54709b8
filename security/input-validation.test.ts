import { once } from "node:events";
import { get } from "node:http";
import { describe, expect } from "vitest";
import { updateProfile } from "#contract/members.ts";
import { recordPayment } from "#contract/payments.ts";
import { defaultSettings } from "#contract/shop-settings.ts";
import { breakVerifications } from "#server/adapters/identity/testing.ts";
import { renderEmail } from "#server/email/email-layout.ts";
import { openBrowser } from "#server/testing/browser.ts";
import { shopTest } from "#server/testing/fixtures.ts";
import { listing } from "#server/testing/marketplace.ts";
import { anyCategory, errorOf, member } from "#server/testing/people.ts";
import type { Shop } from "#server/testing/shop.ts";

const test = shopTest();

async function signUp(shop: Shop, email: string, name = "Ada") {
  const answer = await openBrowser(shop.url).post("/sign-up/email", {
    name,
    email,
    password: "Lovelace#1815",
  });
  return { status: answer.status, body: await answer.json() };
}

describe("spellings of an email address", () => {
  test("sign-up and login treat different spellings of an email address as one account", async ({
    shop,
  }) => {
    expect((await signUp(shop, "ada@example.com")).status).toBe(200);
    for (const email of [
      "ADA@Example.COM",
      " ada@example.com",
      "ａｄａ@example.com",
      "ada＠example.com",
    ]) {
      expect((await signUp(shop, email)).body).toMatchObject({
        code: "USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL",
      });
      const browser = openBrowser(shop.url);
      await browser.post("/sign-in/email", { email, password: "Lovelace#1815" });
      expect(await browser.user()).toMatchObject({ email: "ada@example.com" });
    }
  });

  test("an email address with letters that look like ASCII letters is rejected", async ({
    shop,
  }) => {
    for (const email of ["аda@example.com", "ada@exаmple.com", "adaı@example.com"]) {
      expect((await signUp(shop, email)).status).toBe(400);
    }
  });
});

test("a foreign host in the request target does not appear in the Link header, even of a cached response", async ({
  shop,
  seller,
}) => {
  for (const _ of "ab") await listing(seller);
  const path = `/api/categoryProducts/${await anyCategory(shop)}?limit=1`;
  const { port } = new URL(shop.url);
  for (const asked of [`http://evil.example${path}`, `//evil.example${path}`, path]) {
    const [answer] = await once(get({ port, path: asked }), "response");
    answer.resume();
    expect(answer.headers.link ?? "").not.toContain("evil");
    if (asked === path) expect(answer.headers.link).toMatch(/^<\/api\/categoryProducts\//);
  }
});

describe("names", () => {
  test.for([
    ["a line break", "Ada\nBcc: everybody@example.com"],
    ["a NUL", "Ada\0"],
    ["a character that reverses the text direction", "\u202egpj.adA"],
    ["a lone surrogate", "Ada\ud800"],
    ["only invisible characters", "\u200b\u3164\u2800"],
    ["81 characters", "a".repeat(81)],
    ["only spaces", "  "],
  ] as const)(
    "a name with %s is rejected in the profile and at sign-up",
    async ([_, name], { shop, buyer }) => {
      const refused = await errorOf(buyer.call(updateProfile, { body: { name } }));
      expect(refused.fields.name).toMatch(/^[A-Z].*[.d]$/);
      const { status, body } = await signUp(shop, `${crypto.randomUUID()}@example.com`, name);
      expect([status, body]).toEqual([400, { code: "INVALID_INPUT", message: refused.message }]);
    },
  );

  test("HTML in a name is escaped in emails", () => {
    const name = "<img src=x onerror=alert(1)>";
    const { html, text } = renderEmail(
      {
        to: "ada@example.com",
        subject: name,
        paragraphs: [`Hello ${name}`],
        action: { label: name, url: 'https://secondlap.test/"><script>' },
      },
      defaultSettings,
    );
    expect(text).toContain(name);
    expect(html).not.toMatch(/<img|<script|"https:\/\/secondlap.test\/"/);
  });
});

test("a profile update can't change the account type, admin rights or verification", async ({
  shop,
}) => {
  const buyer = await member(shop);
  const raise = { isAdmin: true, is_admin: true, accountType: "seller", verify: true };
  await buyer.call(updateProfile, { body: { name: "Ada", ...raise } });
  const someone = await shop.deps.db
    .selectFrom("members")
    .selectAll()
    .where("id", "=", buyer.id)
    .executeTakeFirstOrThrow();
  expect(someone).toMatchObject({ is_admin: false, account_type: "buyer", verify: false });
});

describe("NUL characters", () => {
  test.for([
    "/api/payments?search=%00",
    "/api/auditLog?cursor=a%00",
    "/api/users/seller/%00",
    "/api/auth/callback/google?state=%00",
    "/api/auth/callback/google?code=a&state=a%00b",
  ])("a NUL character in a URL gets 400 with a clear message: %s", async (path, { shop }) => {
    const admin = await member(shop, { isAdmin: true });
    const headers = { authorization: `Bearer ${await admin.token()}` };
    const answer = await fetch(shop.url + path, { headers });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ message: "Please leave out control characters." });
  });

  test("the identity service rejects a NUL character in a body with 400 and a clear message", async ({
    shop,
  }) => {
    const { post } = openBrowser(shop.url);
    for (const answer of [
      await post("/reset-password", { token: "a\0b", newPassword: "Lovelace#1815" }),
      await post("/sign-in/email", { email: "ada@example.com", password: "a", callbackURL: "\0" }),
      await post("/sign-in/social", { provider: "google", callbackURL: ["/\0"] }),
    ]) {
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({
        message: "Please leave out control characters.",
      });
    }
  });

  test("a NUL character in a payment's transaction ID causes a field error", async ({ buyer }) => {
    const ids = { bookingId: buyer.id, productId: buyer.id };
    const body = { price: 640, transactionId: "pi_\0", email: buyer.email, ...ids };
    const { status, fields } = await errorOf(buyer.call(recordPayment, { body }));
    expect([status, fields.transactionId]).toEqual([400, "Please leave out control characters."]);
  });
});

test("an error inside the identity service has the shop's error format", async ({ shop }) => {
  const { db } = shop.deps;
  const restore = await breakVerifications(db);
  const body = { token: "nobody's", newPassword: "Lovelace#1815" };
  const answer = await openBrowser(shop.url).post("/reset-password", body);
  await restore();
  expect(answer.status).toBe(500);
  expect(await answer.json()).toMatchObject({ code: "INTERNAL", requestId: expect.any(String) });
});

test.for(["/api/auth/sign-up/email", "/api/users"])(
  "a body of 30,000 nested arrays gets 400 with a clear message: %s",
  async (path, { shop, buyer }) => {
    const body = `{"name":${"[".repeat(30_000)}${"]".repeat(30_000)}}`;
    const answer = await fetch(shop.url + path, {
      method: "POST",
      headers: { "content-type": "application/json", cookie: buyer.cookie },
      body,
    });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      message: "The body is nested too deeply.",
    });
  },
);
