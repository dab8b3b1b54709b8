/// <reference lib="dom" />
import { expect } from "@playwright/test";
import { axeViolations } from "./axe.ts";
import { test, waitForHydration } from "./fixtures.ts";
import { freezeHome } from "./network.ts";

test.describe("without a connection", () => {
  test.use({
    serviceWorkers: "allow",
    expectedErrors: [/ERR_INTERNET_DISCONNECTED|status of 503/],
  });

  test("§10.27: without a connection, the offline page shows and nothing is cached; Try again works after reconnecting", async ({
    page,
    context,
  }) => {
    await page.goto("/");
    await page.evaluate(() => navigator.serviceWorker.ready);
    await context.setOffline(true);
    await page.goto("/blogs");
    await expect(page.getByRole("heading", { name: "You're offline" })).toBeVisible();
    await expect(page).toHaveTitle("You're offline");
    const found = await axeViolations(page);
    expect(found).toEqual({});
    const caches = await page.evaluate(() => window.caches.keys());
    expect(caches).toEqual([]);
    await context.setOffline(false);
    await page.getByRole("link", { name: "Try again" }).click();
    await expect(page.getByRole("heading", { name: "Blogs" })).toBeVisible();
  });
});

test("each icon in the web app manifest has the size that the manifest states", async ({
  page,
}) => {
  await page.goto("/");
  const address = await page.locator("link[rel=manifest]").getAttribute("href");
  const manifest = await (await page.request.get(address ?? "")).json();
  expect(manifest).toMatchObject({ name: "Secondlap", start_url: "/", display: "standalone" });
  for (const { src, sizes } of manifest.icons) {
    const size = await page.evaluate(async (icon) => {
      const image = new Image();
      image.src = icon;
      await image.decode();
      return `${image.naturalWidth}x${image.naturalHeight}`;
    }, src);
    expect(size).toBe(sizes);
  }
});

test("Back restores the scroll position of Home", async ({ page }) => {
  await freezeHome(page);
  await page.goto("/");
  await waitForHydration(page);
  await page.getByRole("region", { name: "Product Categories" }).scrollIntoViewIfNeeded();
  const left = await page.evaluate(() => scrollY);
  expect(left).toBeGreaterThan(300);
  await page.getByRole("link", { name: "Blogs" }).first().focus();
  await page.evaluate((y) => scrollTo(0, y), left);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Blogs", level: 1 })).toBeVisible();
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
  await page.goBack();
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(left);
});
