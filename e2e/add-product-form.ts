import type { Page } from "@playwright/test";
import { phonePhoto } from "./fixtures.ts";

/** Fills the open Add Product form, with a photo of a phone's size. */
export async function fillProduct(page: Page, name: string): Promise<void> {
  await page.getByLabel("Product Name").fill(name);
  await page.getByLabel("Category").selectOption("Framework");
  await page.getByLabel("Condition").selectOption("Fair");
  await page.getByLabel("Resale Price").fill("1020");
  await page.getByLabel("Original Price").fill("1800");
  await page.getByLabel("Year of Purchase").fill("2024");
  await page.getByLabel("Duration").fill("12");
  await page.getByLabel("Mobile Number").fill("503-555-0142");
  await page.getByLabel("Location").fill("Malmö");
  await page.getByLabel("Description").fill("Battery at 91 %.");
  await page.getByLabel("Photo").setInputFiles(await phonePhoto());
}
