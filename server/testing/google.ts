import type { Browser } from "./browser.ts";

/** Somebody at Google's account chooser; `cancel` is nobody. */
export type GoogleChoice = { name: string; email: string; verified: boolean } | { cancel: true };

/** Asks for Google's address, as the button does. */
export async function googleAddress(browser: Browser): Promise<string> {
  const answer = await browser.post("/sign-in/social", {
    provider: "google",
    callbackURL: "/auth/done",
    errorCallbackURL: "/auth/done",
    disableRedirect: true,
  });
  if (!answer.ok) throw new Error(await answer.text());
  return ((await answer.json()) as { url: string }).url;
}

/** Goes through Google's page at its address; answers where the shop leads to in the end. */
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

/** The whole of "Continue with Google": empty where somebody was let in, or the error that says why not. */
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
