/// <reference lib="dom" />
import { expect, type Page } from "@playwright/test";
import { cardOf, signIn, test, waitForHydration } from "./fixtures.ts";

const sentence = "16 GB ThinkPad under $500 with a good battery";

function searchBox(page: Page) {
  return page.getByLabel("Search laptops");
}

function found(page: Page) {
  return page.getByRole("main").getByRole("status").first();
}

test("a sentence typed on any page becomes filters that can be removed", async ({ page }) => {
  await page.goto("/blogs");
  await waitForHydration(page);
  await page.keyboard.press("/");
  await expect(searchBox(page)).toBeFocused();
  await page.keyboard.type(sentence);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/search\?q=16/);
  await expect(page.getByRole("article").first()).toContainText("ThinkPad");
  const filters = page.getByRole("navigation", { name: "Filters in use" });
  await expect(filters.getByRole("link")).toHaveText([
    "16 GB RAM",
    "up to $500",
    "battery at least 80%",
  ]);
  await filters.getByRole("link", { name: "Remove filter: up to $500" }).click();
  await expect(filters.getByRole("link")).toHaveText(["16 GB RAM", "battery at least 80%"]);
  await expect(searchBox(page)).toHaveValue("16 gb thinkpad with a good battery");
});

test("Back restores the results and where they were scrolled to", async ({ page }) => {
  await page.goto("/search");
  await waitForHydration(page);
  await page.getByRole("link", { name: "16 GB", exact: false }).first().click();
  await expect(page).toHaveURL(/ram=16/);
  const filters = page.getByRole("navigation", { name: "Filters in use" });
  await expect(filters.getByRole("link")).toHaveText(["16 GB RAM"]);
  const last = page.getByRole("article").last();
  await last.scrollIntoViewIfNeeded();
  const scrolled = await page.evaluate(() => scrollY);
  expect(scrolled).toBeGreaterThan(500);
  await page
    .getByRole("link", { name: "Blogs" })
    .first()
    .evaluate((link) => (link as HTMLElement).click());
  await expect(page).toHaveURL(/blogs/);
  await page.goBack();
  await expect(last).toBeInViewport();
});

test("suggestions are chosen by keyboard, and a late answer does not replace them", async ({
  page,
}) => {
  const suggested = (texts: string[]) => ({
    json: { items: texts.map((text) => ({ text, kind: "word" })) },
  });
  let release = () => {};
  const late = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/api/suggestions?q=th", async (route) => {
    await late;
    await route.fulfill(suggested(["thorium"])).catch(() => {});
  });
  await page.route("**/api/suggestions?q=thi", (route) =>
    route.fulfill(suggested(["thinkpad", "thinkbook"])),
  );
  await page.goto("/");
  await waitForHydration(page);
  await page.keyboard.press("Control+k");
  await page.keyboard.type("thi");
  const options = page.getByRole("option");
  await expect(options).toHaveText(["thinkpad", "thinkbook"]);
  release();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("option", { selected: true })).toHaveText("thinkbook");
  await expect(options).toHaveText(["thinkpad", "thinkbook"]);
  await page.keyboard.press("Escape");
  await expect(options).toHaveCount(0);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/q=thinkpad/);
});

test("a result is booked from the search, which stays behind it", async ({
  page,
  buyer,
  laptop,
}) => {
  await signIn(page, buyer);
  await page.goto(`/search?q=${encodeURIComponent(laptop.product_name)}&sort=newest`);
  await cardOf(page, laptop).getByRole("button", { name: "Book Now" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await expect(page).toHaveURL(/q=.*&sort=newest&book=/);
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(/sort=newest$/);
  await expect(cardOf(page, laptop)).toBeVisible();
});

test("an empty result says what was left out, and nonsense finds nothing", async ({ page }) => {
  await page.goto("/search?q=thinkpad&ram=1");
  await expect(found(page)).toContainText(
    "Nothing matches everything, so these match without: 1 GB RAM",
  );
  await expect(page.getByRole("article").first()).toContainText("ThinkPad");
  await page.goto("/search?q=qqqqwwww");
  await expect(page.getByRole("heading", { name: "Nothing found" })).toBeVisible();
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("search, filters, sorting and paging work", async ({ page }) => {
    await page.goto("/");
    await searchBox(page).fill("laptop 16gb");
    await searchBox(page).press("Enter");
    await expect(page).toHaveURL(/\/search\?q=laptop\+16gb/);
    await expect(page.getByRole("article")).toHaveCount(12);
    const first = await page.getByRole("article").first().textContent();
    await page.getByRole("link", { name: "Next page" }).click();
    await expect(page).toHaveURL(/cursor=/);
    await expect(page.getByRole("article").first()).not.toHaveText(String(first));
    await page.getByRole("link", { name: "Lowest price" }).click();
    await expect(page).toHaveURL(/sort=price/);
    await page.getByRole("navigation", { name: "Brand" }).getByRole("link").first().click();
    await expect(page).toHaveURL(/category=/);
    await page.getByLabel("Highest price in dollars").fill("400");
    await page.getByRole("button", { name: "Apply" }).click();
    await expect(page).toHaveURL(/maxPrice=400/);
    await expect(found(page)).toContainText("laptop");
  });
});

test("the page is light: at most 60 KB and 800 elements", async ({ page, request }) => {
  const html = await (await request.get("/search")).text();
  expect(html.length).toBeLessThan(60_000);
  await page.goto("/search");
  await expect.poll(() => page.locator("*").count()).toBeLessThanOrEqual(800);
});
