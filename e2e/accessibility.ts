/// <reference lib="dom" />
import type { Page } from "@playwright/test";
import axe, { type AxeResults, type RunOptions } from "axe-core";

const rules = {
  runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
};

/** What of a page is the same by day and by night, and need not be looked at twice. */
const coloursAlone = { runOnly: ["color-contrast"] };

/** What axe finds wrong with the open page, its dialog included, by day and by night (WCAG 2.2 AA). */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const found: string[] = [];
  for (const [colorScheme, options] of [
    ["dark", coloursAlone],
    ["light", rules],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    const { violations } = await page.evaluate(
      (asked) => (window as unknown as { axe: Axe }).axe.run(asked),
      // The card's own fields are another origin's.
      { ...options, iframes: false, resultTypes: ["violations"] } as RunOptions,
    );
    for (const { id, nodes } of violations)
      for (const { html } of nodes) found.push(`${colorScheme}, ${id}: ${html.slice(0, 120)}`);
  }
  return found;
}

type Axe = { run(options: RunOptions): Promise<AxeResults> };
