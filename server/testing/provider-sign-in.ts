import { type Browser, openBrowser } from "./browser.ts";
import type { OidcAccount } from "./oidc-provider.ts";

export async function providerAddress(browser: Browser, provider: string): Promise<string> {
  const answer = await startProviderSignIn(browser, provider);
  if (!answer.ok) throw new Error(await answer.text());
  return ((await answer.json()) as { url: string }).url;
}

export async function startProviderSignIn(browser: Browser, provider: string): Promise<Response> {
  return await browser.post("/sign-in/social", {
    provider,
    callbackURL: "/auth/done",
    errorCallbackURL: "/auth/done",
    disableRedirect: true,
  });
}

/** Chooses the account, or cancels if none is given. Returns the callback URL of the redirect. */
export async function chooseAtOidc(address: string, account?: OidcAccount): Promise<string> {
  const { origin } = new URL(address);
  const visitor = openBrowser(origin);
  const chooser = await redirect(visitor, address);
  const { verified, ...fields } = account ?? { cancel: "1" };
  const body = new URLSearchParams({ ...fields, ...(verified && { verified: "on" }) });
  let next = await redirect(visitor, chooser, { method: "POST", body });
  while (next.startsWith(origin)) next = await redirect(visitor, next);
  return next;
}

async function redirect({ visit }: Browser, url: string, init?: RequestInit): Promise<string> {
  const response = await visit(url, init);
  const location = response.headers.get("location");
  if (location === null) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return new URL(location, url).href;
}

/** Returns the error code, or "" after a successful sign-in. */
export async function openCallback(browser: Browser, callback: string): Promise<string> {
  const done = (await browser.visit(callback)).headers.get("location") ?? "nowhere:";
  const { pathname, searchParams } = new URL(done, callback);
  if (pathname !== "/auth/done") throw new Error(`led to ${done}`);
  return searchParams.get("error") ?? "";
}

export async function continueWithOidc(browser: Browser, account?: OidcAccount): Promise<string> {
  const address = await providerAddress(browser, "oidc");
  return await openCallback(browser, await chooseAtOidc(address, account));
}

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
