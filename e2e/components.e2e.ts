/// <reference lib="dom" />
import { expect } from "@playwright/test";
import { test } from "./fixtures.ts";

const parts = ["Language", "Buttons", "Forms", "Listing", "Lists"];

test.describe("the component gallery", () => {
  test.use({ viewport: { width: 1024, height: 800 } });

  test("every part of the component gallery matches its screenshot in the light and dark themes", async ({
    page,
  }) => {
    await page.clock.setFixedTime("2026-03-20T12:00:00Z");
    const grids = page.getByRole("region", { name: "Listing" }).locator(".product-grid");
    await page.goto("/ui");
    await page.waitForLoadState("networkidle");
    await page.evaluate(() => {
      // Glyph positions would otherwise depend on the browser's pixel grid.
      const sheet = new CSSStyleSheet();
      sheet.replaceSync("* { text-rendering: geometricPrecision !important; }");
      document.adoptedStyleSheets.push(sheet);
      return document.fonts.ready.then(() => undefined);
    });
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      for (const part of parts)
        await expect
          .soft(page.getByRole("region", { name: part }))
          .toHaveScreenshot(`${part}-${colorScheme}.png`.toLowerCase(), { maxDiffPixels: 300 });
    }

    await test.step("a loading skeleton is as tall as the product cards that replace it", async () => {
      const difference = () =>
        grids.evaluateAll(([usual, , skeleton]) =>
          Math.abs((usual?.clientHeight ?? Number.NaN) - (skeleton?.clientHeight ?? Number.NaN)),
        );
      await expect.poll(difference).toBeLessThanOrEqual(3);
    });

    await test.step("More shows a clamped description in full", async () => {
      const more = grids.nth(1).getByRole("button", { name: "More" });
      await expect(more).toHaveAttribute("aria-expanded", "false");
      await more.press("Enter");
      const less = grids.nth(1).getByRole("button", { name: "Less" });
      await expect(less).toBeFocused();
      const lines = grids.nth(1).locator(".description p").first();
      const hidden = () => lines.evaluate((it) => it.scrollHeight - it.clientHeight);
      await expect.poll(hidden).toBe(0);
    });
  });
});
