import { expect } from "@playwright/test";
import { test } from "./fixtures.ts";

test.use({ expectedErrors: [/status of 404/], serverSettings: { STAGING: "1" } });

test("§10.24: a staging server shows a banner on every page, and other servers show none", async ({
  page,
  ownServer,
}) => {
  const banner = page.getByText("This is a test site.");
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(banner).toHaveCount(0);
  for (const path of ["/dashboard", "/no/such/page", "/"]) {
    await page.goto(`${ownServer.url}${path}`);
    await expect(banner).toBeVisible();
  }
  await page.getByRole("link", { name: "Blogs" }).first().click();
  await expect(page.getByRole("heading", { name: "Blogs" })).toBeVisible();
  await expect(banner).toBeVisible();
});
