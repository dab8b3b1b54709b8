/// <reference lib="dom" />
import { expect, type Page } from "@playwright/test";
import { test } from "./fixtures.ts";

const banner = (page: Page) => page.getByText("This is a test site.");

test.describe("a staging server", () => {
  test.use({ expectedErrors: [/status of 404/], serverSettings: { STAGING: "1" } });

  test("§10.24: a staging server shows a banner on every page", async ({ page, ownServer }) => {
    for (const path of ["/dashboard", "/no/such/page", "/"]) {
      await page.goto(`${ownServer.url}${path}`);
      await expect(banner(page)).toBeVisible();
    }
    await page.getByRole("link", { name: "Blogs" }).first().click();
    await expect(page.getByRole("heading", { name: "Blogs" })).toBeVisible();
    await expect(banner(page)).toBeVisible();
  });
});

test("§10.24: a server that is not a staging server shows no banner", async ({ page }) => {
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(banner(page)).toHaveCount(0);
});
