import type { Page } from "@playwright/test";
import type { Credentials } from "./accounts.ts";

export function continueButton(page: Page) {
  return page.getByRole("button", { name: "Continue with Google" });
}

export async function openGoogle(page: Page): Promise<Page> {
  const [google] = await Promise.all([page.waitForEvent("popup"), continueButton(page).click()]);
  await google.waitForURL(/\/google\//);
  return google;
}

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
