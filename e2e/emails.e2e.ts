/// <reference lib="dom" />
import { expect } from "@playwright/test";
import { defaultSettings } from "#contract/shop-settings.ts";
import { renderEmail } from "#server/email/email-layout.ts";
import { expectAccessible } from "./axe.ts";
import { test } from "./fixtures.ts";

test("an email is readable at 320 px in both themes", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  const { html } = renderEmail(
    {
      to: "ada@example.com",
      subject: "Your hold on a Dell laptop",
      paragraphs: [`Listing: “${"x".repeat(120)}”`, "Changed your mind? Cancel the hold."],
      action: { label: "View My Orders", url: "https://example.com/dashboard" },
      unsubscribeUrl: "https://example.com/unsubscribe",
    },
    defaultSettings,
  );
  await page.setContent(html);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBe(320);
  await expect(page.getByRole("link", { name: "View My Orders" })).toBeInViewport();
  await expectAccessible(page);
});
