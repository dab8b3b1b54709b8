/// <reference lib="dom" />
import type { Page } from "@playwright/test";

const controls = "a[href], button:enabled, input:enabled, select:enabled, textarea:enabled";

/** Tabs through the page; returns the controls never focused, and those without a visible focus ring. */
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
      // Tab leads to one radio button of a group, arrow keys to the others.
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
  // A few more for the page itself and the card fields' frame.
  for (let presses = 0; presses < count + 8; presses += 1) await page.keyboard.press("Tab");
  return await page.evaluate("tabbed()");
}

/** The result of `tabThrough` on a page without problems. */
export const allReachable = { unreached: [], unmarked: [] };
