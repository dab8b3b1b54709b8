import type { Browser } from "./browser.ts";
import { providerAddress } from "./provider-sign-in.ts";

export type GoogleChoice = { name: string; email: string; verified: boolean } | { cancel: true };

export function googleAddress(browser: Browser): Promise<string> {
  return providerAddress(browser, "google");
}

/** Returns the URL that the shop redirects to. */
export async function chooseAtGoogle(
  browser: Browser,
  address: string,
  choice: GoogleChoice,
): Promise<URL> {
  const chosen = await fetch(address, {
    method: "POST",
    body: new URLSearchParams(fieldsOf(choice)),
    redirect: "manual",
  });
  const back = chosen.headers.get("location") ?? "";
  const led = await browser.visit(back);
  return new URL(led.headers.get("location") ?? "nowhere:", back);
}

/** Returns the error code, or "" after a successful sign-in. */
export async function continueWithGoogle(browser: Browser, choice: GoogleChoice): Promise<string> {
  const done = await chooseAtGoogle(browser, await googleAddress(browser), choice);
  if (done.pathname !== "/auth/done") throw new Error(`led to ${done.href}`);
  return done.searchParams.get("error") ?? "";
}

function fieldsOf(choice: GoogleChoice): Record<string, string> {
  if ("cancel" in choice) return { cancel: "1" };
  const { name, email, verified } = choice;
  return { name, email, ...(verified && { verified: "on" }) };
}
