import type { Page } from "@playwright/test";
import { pressEnterOn, tabTo, typeInto } from "./keyboard-navigation.ts";

export async function onboardByKeyboard(page: Page): Promise<void> {
  await typeInto(page.getByLabel("First name"), "Ada");
  await typeInto(page.getByLabel("Last name"), "Seller");
  await typeInto(page.getByLabel("Account number"), "000123456789");
  await tabTo(page.getByRole("checkbox"));
  await page.keyboard.press("Space");
  await pressEnterOn(page.getByRole("button", { name: "Finish", exact: true }));
}
