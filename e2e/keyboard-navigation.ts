/// <reference lib="dom" />
import { expect, type Locator, type Page } from "@playwright/test";

const controls =
  "a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary";

/** Returns controls that are never focused or have no visible focus ring. */
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

/** Tab leads to the first star, arrow keys to the others. */
export async function giveStars(deal: Locator, stars: number): Promise<void> {
  await tabTo(deal.getByRole("radio").first());
  for (let more = 1; more < stars; more += 1) await deal.page().keyboard.press("ArrowRight");
  await expect(deal.getByRole("radio", { name: `${stars} stars` })).toBeChecked();
}

/** Focus lost to the body would make the next Tab start at the top of the page. */
export async function expectFocusKept(page: Page): Promise<void> {
  await expect(page.locator("body")).not.toBeFocused();
}
