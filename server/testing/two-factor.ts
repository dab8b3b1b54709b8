import { expect } from "vitest";
import { send } from "#contract/client.ts";
import { issueToken } from "#contract/members.ts";
import { updateSessions } from "../adapters/identity/testing.ts";
import { type Browser, openBrowser, signUpAt } from "./browser.ts";
import { member, type Person } from "./people.ts";
import type { Shop } from "./shop.ts";
import { secretIn, totp } from "./totp.ts";

export const password = "Secret#2026";

/** `twoFactorRedirect` is set if a code is also required. */
export async function logIn(url: string, email: string, browser = openBrowser(url)) {
  const response = await browser.post("/sign-in/email", { email, password });
  const body = (await response.json()) as { twoFactorRedirect?: boolean; code?: string };
  return { browser, status: response.status, ...body };
}

/** Sets up an authenticator app with the previous code, so that the current code stays unused. */
export async function signUpWithApp(url: string, email: string) {
  await signUpAt(url, email, "buyer");
  const { browser } = await logIn(url, email);
  const response = await browser.post("/two-factor/enable", { password });
  const { totpURI, backupCodes } = (await response.json()) as {
    totpURI: string;
    backupCodes: string[];
  };
  const secret = secretIn(totpURI);
  const verify = async () => {
    const code = totp(secret, { steps: -1 });
    return (await browser.post("/two-factor/verify-totp", { code })).status;
  };
  // The code expires if the next half minute begins before the shop checks the code.
  await expect.poll(verify).toBe(200);
  return { email, browser, secret, backupCodes };
}

export async function connect(browser: Browser, email: string) {
  const { accessToken } = (await send(browser.connection, issueToken, { query: { email } })).body;
  return { ...browser.connection, token: () => accessToken };
}

export async function createAdmin(shop: Shop, { secondFactor = true } = {}): Promise<Person> {
  const admin = await member(shop, { isAdmin: true });
  await updateSessions(shop.deps.db, { secondFactor }, admin.email);
  return admin;
}
