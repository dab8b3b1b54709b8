/// <reference lib="dom" />
import { readFileSync } from "node:fs";
import { expect, type Locator, type Page } from "@playwright/test";
import type { AxeResults, RunOptions } from "axe-core";

/** Minified, because each page has to receive and parse it. */
const axe = readFileSync(new URL(import.meta.resolve("axe-core/axe.min.js")), "utf8");

const wcag22 = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** The dark theme changes only colors, so it needs only the contrast rule. */
const rules = { light: wcag22, dark: ["color-contrast"] };

/** Checks the page, or a part of it, in both themes. */
export async function expectAccessible(page: Page, part?: string): Promise<void> {
  const found = await axeViolations(page, part);
  expect.soft(found).toEqual({});
}

async function axeViolations(page: Page, part = "html"): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  await page.evaluate(axe);
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

const controls =
  "a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary";

/**
 * Tabs through the page or its modal dialog. Returns controls that Tab does not reach, and reached
 * controls without a visible focus ring.
 */
export async function tabThrough(page: Page): Promise<{ unreached: string[]; unmarked: string[] }> {
  const count = await page.evaluate((selector) => {
    const root = document.querySelector("dialog:modal") ?? document.body;
    const wanted = [...root.querySelectorAll<HTMLElement>(selector)].filter((element) =>
      element.checkVisibility({ visibilityProperty: true }),
    );
    const reached = new Set<Element>();
    const focused = new Set<Element>();
    const marked = new Set<Element>();
    addEventListener("focusin", ({ target }) => {
      if (!(target instanceof Element)) return;
      focused.add(target);
      reached.add(target);
      // Tab focuses one radio button in a group; arrow keys reach the others.
      if (target instanceof HTMLInputElement && target.type === "radio") {
        const group = document.getElementsByName(target.name);
        for (const radio of group) if (radio.closest("form") === target.form) reached.add(radio);
      }
      const shown = [target, target.parentElement].some((element) => {
        const style = element && getComputedStyle(element);
        return style && style.outlineStyle !== "none" && Number.parseFloat(style.outlineWidth) > 0;
      });
      if (shown) marked.add(target);
    });
    const nameOf = (element: Element) => element.outerHTML.slice(0, 120);
    Object.assign(window, {
      tabbed: () => ({
        unreached: wanted.filter((one) => one.isConnected && !reached.has(one)).map(nameOf),
        unmarked: wanted.filter((one) => focused.has(one) && !marked.has(one)).map(nameOf),
      }),
    });
    return wanted.length;
  }, controls);
  // Extra presses, because Tab also stops at the page itself and in the card fields' frame.
  for (let presses = 0; presses < count + 8; presses += 1) await page.keyboard.press("Tab");
  return await page.evaluate("tabbed()");
}

export const allReachable = { unreached: [], unmarked: [] };

export async function tabTo(control: Locator): Promise<void> {
  await expect(control).toBeVisible();
  await expect(control).toBeEnabled();
  const focused = () => control.evaluate((one) => one === one.ownerDocument.activeElement);
  for (let presses = 0; presses < 100 && !(await focused()); presses += 1)
    await control.page().keyboard.press("Tab");
  await expect(control).toBeFocused();
  const outlines = await control.evaluate((one) => {
    // The card provider draws its own focus rings.
    if (window !== window.parent) return [];
    return [one, one.parentElement].map(
      (element) => element && getComputedStyle(element).outlineStyle,
    );
  });
  expect(outlines, "focus ring is visible").not.toEqual(["none", "none"]);
}

export async function pressEnterOn(control: Locator): Promise<void> {
  await tabTo(control);
  await control.page().keyboard.press("Enter");
}

export async function typeInto(field: Locator, text: string): Promise<void> {
  await tabTo(field);
  const { keyboard } = field.page();
  await keyboard.press("ControlOrMeta+a");
  await keyboard.type(text);
}

export async function giveStars(deal: Locator, stars: number): Promise<void> {
  await tabTo(deal.getByRole("radio").first());
  for (let more = 1; more < stars; more += 1) await deal.page().keyboard.press("ArrowRight");
  await expect(deal.getByRole("radio", { name: `${stars} stars` })).toBeChecked();
}

/** Expects that focus isn't on the body, from where Tab would start at the top of the page. */
export async function expectFocusKept(page: Page): Promise<void> {
  await expect(page.locator("body")).not.toBeFocused();
}
