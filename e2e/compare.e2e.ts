/// <reference lib="dom" />
import { expect, type Page } from "@playwright/test";
import { paths } from "#web/paths.ts";
import { listLaptop } from "./accounts.ts";
import { navigateOnClient, test, waitForHydration } from "./fixtures.ts";
import { delayResponses } from "./network.ts";

test("an empty comparison leads to the search", async ({ page }) => {
  await page.goto(paths.compare());
  await expect(page.getByRole("link", { name: "Find another laptop" })).toHaveCount(0);
  await page.getByRole("link", { name: "Search laptops" }).click();
  await expect(page).toHaveURL(paths.search());
});

test("pressing Compare on two laptops' pages, even before hydration, shows the laptops side by side at a shareable URL", async ({
  page,
  seller,
}) => {
  const [one, other] = [await listLaptop(seller), await listLaptop(seller, { resale_price: 590 })];
  const compare = page.getByRole("link", { name: "Compare", exact: true });
  await page.goto(paths.laptop(one._id, one.product_name));
  await waitForHydration(page);
  await compare.click();
  await expect(page).toHaveURL(`/compare?ids=${one._id}`);
  const release = await delayResponses(page, "**/assets/*.js");
  await page.goto(paths.laptop(other._id, other.product_name));
  await compare.click();
  release();
  await expect(page.getByRole("heading", { name: "Compare laptops" })).toBeVisible();
  await expect(page).toHaveURL(`/compare?ids=${one._id},${other._id}`);
  const names = [one.product_name, other.product_name];
  await expectSideBySide(page, names);
  const table = page.getByRole("table", { name: "Laptops side by side" });
  await expect(table.getByRole("rowheader", { name: "Condition", exact: true })).toBeVisible();
  const prices = table
    .getByRole("row")
    .filter({ hasText: /^Price/ })
    .getByRole("cell");
  await expect(prices).toHaveText([/^\$640/, /^\$590/]);
  await table.getByRole("button", { name: "Book Now" }).first().click();
  await expect(page).toHaveURL(/\/login\?from=%2Fcompare%3Fids%3D.*book%3D/);
  await page.goBack();

  await page.reload();
  await expectSideBySide(page, names);
  await page.getByRole("link", { name: `Remove: ${other.product_name}` }).click();
  await expect(page).toHaveURL(`/compare?ids=${one._id}`);
  await expect(page.getByText("Choose a laptop to compare this one with")).toBeVisible();
  const findAnother = page.getByRole("link", { name: "Find another laptop" });
  // Until the styles are loaded, the link for phones, below the table, is shown too.
  await expect(findAnother).toHaveCount(1);
  await findAnother.click();
  await expect(page).toHaveURL(paths.search());

  await test.step("Compare in the search results adds a laptop to the last comparison, and the table fits a phone's width", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await navigateOnClient(page, `/search?q=${encodeURIComponent(other.product_name)}`);
    const found = page.getByRole("article").filter({ hasText: other.product_name });
    await found.getByRole("checkbox", { name: "Compare" }).check();
    await page.locator("#compare").getByRole("button", { name: "Compare" }).click();
    await expect(page).toHaveURL(`/compare?ids=${one._id},${other._id}`);
    await expect(prices.nth(1)).toContainText("(best)");
    await expect(table.getByText("(best)")).toHaveCount(1);
    const overflow = () =>
      page.locator(".compare-frame").evaluate((frame) => frame.scrollWidth > frame.clientWidth);
    await expect.poll(overflow).toBe(false);
    await page.getByRole("row").last().scrollIntoViewIfNeeded();
    await expect(page.getByRole("columnheader").first()).toBeInViewport();
  });

  await test.step("on a phone, the edge of a third laptop shows that the table scrolls sideways", async () => {
    const third = await listLaptop(seller);
    await page.goto(`/compare?ids=${[one._id, other._id, third._id]}`);
    const heads = page.getByRole("columnheader");
    await expect(heads.nth(1)).toBeInViewport({ ratio: 1 });
    await expect(heads.nth(2)).toBeInViewport({ ratio: 0.1 });
  });
});

async function expectSideBySide(page: Page, names: string[]): Promise<void> {
  const heads = page.getByRole("columnheader");
  await expect(heads).toHaveCount(names.length);
  await expect(heads).toContainText(names);
  const tops = await heads.evaluateAll((all) => all.map((it) => it.getBoundingClientRect().top));
  expect(new Set(tops).size).toBe(1);
}
