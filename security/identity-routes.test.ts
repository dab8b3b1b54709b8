import { expect } from "vitest";
import { findSessions } from "#server/adapters/identity/testing.ts";
import { clientRoutes } from "#server/features/identity/auth-throttling.ts";
import { openBrowser, signUpIn } from "#server/testing/browser.ts";
import { shopTest } from "#server/testing/fixtures.ts";

const test = shopTest();

test("unused and misspelled identity routes get 404", async ({ shop }) => {
  const browser = await signUpIn(shop.url, "curious@example.com");
  const posts = [
    "/update-user",
    "/delete-user",
    "/change-email",
    "/change-password",
    "/revoke-sessions",
    "/link-social",
  ];
  for (const path of [...posts, "/sign-in//email", "/sign-in/email/", "/sign-in/%65mail"]) {
    expect((await browser.post(path, {})).status).toBe(404);
  }
  for (const path of ["/list-accounts", "/verify-email?token=x", "/ok", "/reset-password/x"]) {
    expect((await browser.visit(`${shop.url}/api/auth${path}`)).status).toBe(404);
  }
});

test("sign-up, login and session responses do not contain the session's token in the body", async ({
  shop,
}) => {
  const browser = openBrowser(shop.url);
  const who = { name: "Ada", email: "cookie@example.com", password: "Secret#2026" };
  const answers = [
    await browser.post("/sign-up/email", who),
    await browser.post("/sign-in/email", who),
    await browser.visit(`${shop.url}/api/auth/get-session`),
  ];
  const sessions = await findSessions(shop.deps.db);
  for (const answer of answers) {
    const body = await answer.text();
    expect(body).toContain(who.email);
    for (const { token } of sessions) expect(body).not.toContain(token);
  }
});

test("responses from every identity route forbid caching", async ({ shop }) => {
  const member = await signUpIn(shop.url, "uncached@example.com");
  const signOut = "POST /sign-out";
  const others = clientRoutes.filter((route) => route !== signOut);
  const kept: string[] = [];
  for (const browser of [openBrowser(shop.url), member])
    for (const route of [...others, "GET /none", signOut]) {
      const [method = "", path = ""] = route.split(" ");
      const { headers, status } = await (method === "GET"
        ? browser.visit(`${shop.url}/api/auth${path}`)
        : browser.post(path, { email: "uncached@example.com", password: "Secret#2026" }));
      const cacheControl = headers.get("cache-control");
      if (cacheControl !== "private, no-store") kept.push(`${route}: ${status} ${cacheControl}`);
    }
  expect(kept).toEqual([]);
});
