import { expect, type Page, type Route } from "@playwright/test";
import type { Credentials } from "./accounts.ts";
import { expectRefusal } from "./fixtures.ts";

type Outage = { fault: (route: Route) => Promise<void>; message: string };

const html = { contentType: "text/html", body: "<h1>Sign in to the Wi-Fi</h1>" };

export function signInOutages({ unreachable, failed }: Record<"unreachable" | "failed", string>) {
  const error = { error: { code: 500, message: "Internal error encountered." } };
  const outages: Outage[] = [
    { fault: (route) => route.abort(), message: unreachable },
    { fault: (route) => route.fulfill(html), message: unreachable },
    { fault: (route) => route.fulfill({ body: "not what you asked for" }), message: unreachable },
    { fault: (route) => route.fulfill({ status: 500, json: error }), message: failed },
  ];
  return outages;
}

type Submitted = { who: Credentials; button: "Sign up" | "Login"; calls: RegExp };

/** Submits once per outage. Expects its message, and unchanged values in the form. */
export async function submitDuringOutages(
  page: Page,
  { who, button, calls }: Submitted,
  outages: Outage[],
): Promise<void> {
  for (const { fault, message } of outages) {
    await page.route(calls, fault);
    const asked = page.waitForRequest(calls);
    await page.getByRole("main").getByRole("button", { name: button }).click();
    await asked;
    await expectRefusal(page, message);
    await page.unroute(calls, fault);
    await expectFilledIn(page, who);
  }
}

export async function expectFilledIn(page: Page, who: Credentials): Promise<void> {
  await expect(page.getByLabel("Email")).toHaveValue(who.email);
  await expect(page.getByLabel("Password", { exact: true })).toHaveValue(who.password);
  if (!page.url().includes("/signup")) return;
  await expect(page.getByLabel("Name")).toHaveValue(who.name);
  await expect(page.getByLabel("Account Type")).toHaveValue("seller");
}
