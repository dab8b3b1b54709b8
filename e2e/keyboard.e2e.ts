/// <reference lib="dom" />
import { expect, type Page } from "@playwright/test";
import { everyPage } from "./everywhere.ts";
import { sell } from "./members.ts";
import { cardOf, rowOf, signIn, test } from "./person.ts";

const controls = "a[href], button:enabled, input:enabled, select:enabled, textarea:enabled";

/** Goes through what is on screen by Tab alone; answers what was not reached, and what did not show it. */
async function tabThrough(page: Page): Promise<{ unreached: string[]; unmarked: string[] }> {
  const count = await page.evaluate((selector) => {
    const root = document.querySelector("dialog:modal") ?? document.body;
    const wanted = [...root.querySelectorAll<HTMLElement>(selector)].filter((element) =>
      element.checkVisibility({ visibilityProperty: true }),
    );
    const reached = new Set<Element>();
    const marked = new Set<Element>();
    addEventListener("focusin", ({ target }) => {
      if (!(target instanceof Element)) return;
      reached.add(target);
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
        unmarked: wanted.filter((one) => reached.has(one) && !marked.has(one)).map(nameOf),
      }),
    });
    return wanted.length;
  }, controls);
  // A few more: the page itself, and the fields of the card's frame.
  for (let presses = 0; presses < count + 8; presses += 1) await page.keyboard.press("Tab");
  return await page.evaluate("tabbed()");
}

const everything = { unreached: [], unmarked: [] };

test.describe("the keyboard alone reaches every link, button and field, and shows where it is", () => {
  // The browser itself logs the page that is not there.
  test.use({ expectedErrors: [/status of 404/] });

  for (const role of ["visitor", "buyer", "seller", "admin"] as const) {
    test(`on the pages of a ${role}`, async ({ page, buyer, seller, cast }) => {
      const pages = await everyPage({ buyer, seller });
      if (role !== "visitor") await signIn(page, role === "buyer" ? buyer : cast[role]);
      for (const address of pages[role]) {
        await page.goto(address);
        await page.waitForLoadState("networkidle");
        expect(await tabThrough(page), address).toEqual(everything);
      }
    });
  }
});

test.describe("a dialog", () => {
  for (const [button, dialog] of [
    ["Book Now", "book"],
    ["Report", "report"],
  ] as const) {
    test(`opened by ${button} is filled by keyboard, closed by Escape, and gives the focus back`, async ({
      page,
      buyer,
      seller,
    }) => {
      const laptop = await sell(seller);
      await signIn(page, buyer);
      await page.goto(`/categoryProducts/${laptop.category}`);
      const opener = cardOf(page, laptop).getByRole("button", { name: button });
      await opener.focus();
      await page.keyboard.press("Enter");
      await expect(page.getByRole("dialog", { name: laptop.product_name })).toBeVisible();
      await expect(page).toHaveURL(new RegExp(`\\?${dialog}=`));
      expect(await tabThrough(page)).toEqual(everything);
      await page.keyboard.press("Escape");
      await expect(page.getByRole("dialog")).toHaveCount(0);
      await expect(opener).toBeFocused();
    });
  }

  test("that asks before deleting is closed by Escape, and gives the focus back", async ({
    page,
    newSeller,
  }) => {
    const { product_name } = await sell(newSeller);
    await signIn(page, newSeller);
    await page.goto("/dashboard/myProducts");
    const opener = rowOf(page, product_name).getByRole("button", { name: "Delete" });
    await opener.focus();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("dialog")).toBeVisible();
    expect(await tabThrough(page)).toEqual(everything);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(opener).toBeFocused();
    await expect(rowOf(page, product_name)).toBeVisible();
  });
});

test("the first Tab offers to skip to the content, and Enter does", async ({ page }) => {
  await page.goto("/login");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await expect(page.getByLabel("Email")).toBeFocused();
});
