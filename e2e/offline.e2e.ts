/// <reference lib="dom" />
import { expect } from "@playwright/test";
import { expectAccessible } from "./axe.ts";
import { test } from "./fixtures.ts";

test.describe("without a connection", () => {
  test.use({
    serviceWorkers: "allow",
    expectedErrors: [/ERR_INTERNET_DISCONNECTED|status of 503/],
  });

  test("§10.27: without a connection, the offline page shows and nothing is cached; Try again opens the page after reconnecting", async ({
    page,
    context,
  }) => {
    await page.goto("/");
    await page.evaluate(() => navigator.serviceWorker.ready);
    await context.setOffline(true);
    await page.goto("/blogs");
    await expect(page.getByRole("heading", { name: "You're offline" })).toBeVisible();
    await expect(page).toHaveTitle("You're offline");
    await expectAccessible(page);
    const caches = await page.evaluate(() => window.caches.keys());
    expect(caches).toEqual([]);
    await context.setOffline(false);
    await page.getByRole("link", { name: "Try again" }).click();
    await expect(page.getByRole("heading", { name: "Blogs" })).toBeVisible();
  });
});
