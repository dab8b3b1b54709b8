/// <reference lib="dom" />
import type { Page } from "@playwright/test";
import axe, { type AxeResults } from "axe-core";

/** What axe finds wrong with this part of the page by day and by night, by rule, each with its places. */
export async function violations(page: Page, part: string): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.evaluate(() =>
      Promise.allSettled(document.getAnimations().map((one) => one.finished)),
    );
    const results = await page.evaluate<AxeResults>(
      `${axe.source}; axe.run(${JSON.stringify(part)}, { resultTypes: ["violations"] })`,
    );
    for (const { id, nodes } of results.violations)
      found[`${id}, ${colorScheme}`] = nodes.map(({ html }) => html);
  }
  return found;
}
