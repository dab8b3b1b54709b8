import { expect, type Page } from "@playwright/test";
import type { Member } from "./accounts.ts";
import { phonePhoto, signIn } from "./fixtures.ts";

export const onePage = "/dashboard/addProduct#all";

export async function openAddProduct(page: Page, seller: Member): Promise<void> {
  await signIn(page, seller);
  await page.goto(onePage);
}

/** Submits the form and returns the request body. */
export async function sendProduct(page: Page): Promise<string> {
  const request = page.waitForRequest("**/api/products");
  await page.getByRole("button", { name: "Add Product" }).click();
  return (await request).postData() ?? "";
}

export async function fillProduct(page: Page, name: string): Promise<void> {
  await page.getByLabel("Product Name").fill(name);
  await page.getByLabel("Category").selectOption("Framework");
  await page.getByLabel("Condition").selectOption("Fair");
  for (const [label, value] of Object.entries(typed)) await page.getByLabel(label).fill(value);
  await page.getByLabel("Photo").setInputFiles(await phonePhoto());
}

export async function expectFilledProduct(page: Page, name: string): Promise<void> {
  for (const [label, value] of Object.entries({ "Product Name": name, ...typed }))
    await expect(page.getByLabel(label)).toHaveValue(value);
  await expect(page.getByLabel("Category").locator("option:checked")).toHaveText("Framework");
  await expect(page.getByLabel("Condition")).toHaveValue("Fair");
  await expect(page.getByRole("img", { name: "Preview of your upload" })).toBeVisible();
}

const typed = {
  "Resale Price": "1020",
  "Original Price": "1800",
  "Year of Purchase": "2024",
  Duration: "12",
  "Mobile Number": "503-555-0142",
  Location: "Malmö",
  Description: "Battery at 91 %.",
};
