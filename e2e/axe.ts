/// <reference lib="dom" />
import { expect, type Page } from "@playwright/test";
import axe, { type AxeResults, type RunOptions } from "axe-core";

const wcag22 = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** The dark theme changes only colors. */
const rules = { light: wcag22, dark: ["color-contrast"] };

/** Checks the page, or a part of it, in both themes. */
export async function expectAccessible(page: Page, part?: string): Promise<void> {
  const found = await axeViolations(page, part);
  expect.soft(found).toEqual({});
}

/** Returns the violating elements by rule and theme. */
async function axeViolations(page: Page, part = "html"): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  await page.evaluate(axe.source);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.evaluate(() =>
      Promise.allSettled(document.getAnimations().map((one) => one.finished)),
    );
    const options: RunOptions = {
      runOnly: rules[colorScheme],
      resultTypes: ["violations"],
      // Axe can't check the card fields, which are in a cross-origin frame.
      iframes: false,
    };
    const results = await page.evaluate<AxeResults>(
      `axe.run(${JSON.stringify(part)}, ${JSON.stringify(options)})`,
    );
    for (const { id, nodes } of results.violations)
      found[`${id}, ${colorScheme}`] = nodes.map(({ html }) => html.slice(0, 120));
  }
  return found;
}
