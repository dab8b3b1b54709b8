import { expect } from "vitest";
import { updateSessions } from "../adapters/identity/testing.ts";
import { logIn, password, signUpAt } from "./browser.ts";
import { member, type Person } from "./people.ts";
import type { Shop } from "./shop.ts";
import { secretIn, totp } from "./totp.ts";

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

export async function createAdmin(shop: Shop, { secondFactor = true } = {}): Promise<Person> {
  const admin = await member(shop, { isAdmin: true });
  await updateSessions(shop.deps.db, { secondFactor }, admin.email);
  return admin;
}
