import type { Page } from "@playwright/test";
import type { Credentials } from "./accounts.ts";

/** The button Continue with Google on Login and Sign up. */
export function continueButton(page: Page) {
  return page.getByRole("button", { name: "Continue with Google" });
}

/** Presses the button; returns the popup once Google's page has loaded. */
export async function openGoogle(page: Page): Promise<Page> {
  const [google] = await Promise.all([page.waitForEvent("popup"), continueButton(page).click()]);
  await google.waitForURL(/\/google\//);
  return google;
}

/** Signs in at Google with an account that is not in Google's list. */
export async function chooseAnother(
  google: Page,
  { name, email }: Credentials,
  { verified = true } = {},
): Promise<void> {
  await google.getByText("Use another account").click();
  await google.getByLabel("Name").fill(name);
  await google.getByLabel("Email").fill(email);
  await google.getByLabel("Google has verified this address").setChecked(verified);
  await google.getByRole("button", { name: "Continue" }).click();
}
