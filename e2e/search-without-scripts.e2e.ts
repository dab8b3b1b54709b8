import { expect, type Page } from "@playwright/test";
import { test } from "./fixtures.ts";

test.use({ javaScriptEnabled: false });

async function sortBy(page: Page, order: string): Promise<void> {
  await page.getByRole("combobox", { name: "Sort by" }).selectOption(order);
  await page.getByRole("button", { name: "Sort", exact: true }).click();
}

test("search, filters, sorting and paging work without scripts, and an impossible price range shows an error", async ({
  page,
}) => {
  await page.goto("/");
  const searchBox = page.getByLabel("Search laptops");
  await searchBox.fill("laptop 16gb");
  await searchBox.press("Enter");
  await expect(page).toHaveURL(/\/search\?q=laptop\+16gb/);
  await expect(page.getByRole("article")).toHaveCount(12);
  const first = await page.getByRole("article").first().textContent();
  await page.getByRole("link", { name: "Next page" }).click();
  await expect(page).toHaveURL(/cursor=/);
  await expect(page.getByRole("article").first()).not.toHaveText(String(first));
  await sortBy(page, "Lowest price");
  await expect(page).toHaveURL(/sort=price/);
  await page.getByRole("navigation", { name: "Category" }).getByRole("link").first().click();
  await expect(page).toHaveURL(/category=/);
  await page.getByLabel("Highest price ($)").fill("400");
  await page.getByRole("button", { name: "Apply: Price" }).click();
  await expect(page).toHaveURL(/maxPrice=400/);
  await expect(page.getByRole("main").getByRole("status").first()).toContainText("laptop");
  await page.getByRole("article").first().getByRole("link").first().click();
  await expect(page).toHaveURL(/\/laptops\//);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.goto("/search?minPrice=500&maxPrice=400");
  await expect(page.getByRole("main")).toContainText(
    "The highest price can't be below the lowest price.",
  );
});

test("a category's filters and sorting work without scripts", async ({ page, laptop }) => {
  await page.goto(`/categoryProducts/${laptop.category}`);
  await page.getByRole("link", { name: "Filters" }).click();
  await expect(page).toHaveURL(/sort=newest/);
  await page
    .getByRole("navigation", { name: "Memory" })
    .getByRole("link", { name: /^16 GB/ })
    .click();
  await expect(page).toHaveURL(/ram=16/);
  await sortBy(page, "Lowest price");
  await expect(page).toHaveURL(/ram=16&sort=price|sort=price&ram=16/);
  await expect(page.getByRole("article").first()).toBeVisible();
});
