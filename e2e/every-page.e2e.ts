/// <reference lib="dom" />
import { expect, type Page } from "@playwright/test";
import { expectAccessible } from "./axe.ts";
import { signIn, test, waitForHydration } from "./fixtures.ts";
import { allReachable, tabThrough } from "./keyboard-navigation.ts";
import { endEventStreams, freezeHome } from "./network.ts";
import { pagesByRole } from "./page-list.ts";

/** Pages open at 390 px. 320 px is a 1280 px window at 400% zoom (WCAG 1.4.10). */
const otherWidths = [320, 768, 1440];

/** One load per page for all checks, because loading is the slowest part. */
test.describe("§10.25: every page is stable, accessible in both themes, usable by keyboard, and fits the window", () => {
  // The not-found page's own 404.
  test.use({ expectedErrors: [/status of 404/] });

  for (const role of ["visitor", "buyer", "seller", "admin"] as const) {
    test(`every page that ${role === "admin" ? "an" : "a"} ${role} can open passes the layout, axe and keyboard checks`, async ({
      page,
      buyer,
      seller,
      newSeller,
      demoMembers,
    }) => {
      const pages = await pagesByRole({ buyer, seller, otherSeller: newSeller });
      const members = { buyer, seller, admin: demoMembers.admin };
      if (role !== "visitor") await signIn(page, members[role]);
      await page.addInitScript(watchShifts);
      await endEventStreams(page);
      await freezeHome(page);
      for (const address of pages[role]) {
        await page.setViewportSize({ width: 390, height: 844 });
        // Members' texts on other pages may wrap differently in the fallback font.
        const releaseFonts = role === "visitor" ? await delayFonts(page) : () => {};
        await page.goto(address, { waitUntil: "commit" });
        await expect(page.getByRole("main").getByRole("heading").first()).toBeVisible();
        await waitForHydration(page);
        releaseFonts();
        await page.waitForLoadState("networkidle");
        await page.evaluate(fontsAreShown);
        const shifts = await page.evaluate("shifts");
        expect.soft(shifts, `layout shifts on ${address}`).toEqual([]);
        await expect.soft.poll(() => moving(page), `animations on ${address}`).toEqual([]);
        await test.step(`axe on ${address}`, () => expectAccessible(page));
        const byKeyboard = await tabThrough(page);
        expect.soft(byKeyboard, `keyboard access on ${address}`).toEqual(allReachable);
        const beyond = await overflows(page);
        expect.soft(beyond, `overflow on ${address}`).toEqual([0, 0, 0, 0]);
        await page.unroute("**/*.woff2");
      }
    });
  }
});

/** Delivers the fonts after the first paint, when they would shift the most. */
async function delayFonts(page: Page): Promise<() => void> {
  const { promise: painted, resolve } = Promise.withResolvers<void>();
  await page.route("**/*.woff2", async (route) => {
    await painted;
    await route.continue();
  });
  return resolve;
}

function fontsAreShown(): Promise<void> {
  return document.fonts.ready.then(
    () =>
      new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  );
}

/** Records shifts once their sum (CLS) exceeds 0.01. */
function watchShifts(): void {
  type Shift = PerformanceEntry & {
    value: number;
    hadRecentInput: boolean;
    sources: { node: Element | null }[];
  };
  const shifts: string[] = [];
  let sum = 0;
  new PerformanceObserver((list) => {
    for (const shift of list.getEntries() as Shift[]) {
      if (shift.hadRecentInput) continue;
      sum += shift.value;
      const moved = shift.sources.map(({ node }) => node?.outerHTML?.slice(0, 90));
      if (sum > 0.01) shifts.push(`${sum.toFixed(3)}: ${moved.join(", ")}`);
    }
  }).observe({ type: "layout-shift", buffered: true });
  Object.assign(window, { shifts });
}

function moving(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    document
      .getAnimations()
      .filter(({ playState }) => playState === "running")
      .map(({ effect }) => {
        const target = effect instanceof KeyframeEffect ? effect.target : null;
        return target?.outerHTML.slice(0, 90) ?? "";
      }),
  );
}

async function overflows(page: Page): Promise<number[]> {
  const measure = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  const found = [await measure()];
  for (const width of otherWidths) {
    await page.setViewportSize({ width, height: 900 });
    found.push(await measure());
  }
  return found;
}
