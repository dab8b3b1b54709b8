import { expect, type Locator, type Page } from "@playwright/test";
import { listLaptop } from "./accounts.ts";
import { allReachable, expectAccessible, tabThrough } from "./axe-and-keyboard.ts";
import { cardOf, openActions, rowOf, signIn, test } from "./fixtures.ts";

const widths = [320, 768, 1440];

test.describe("modal dialogs", () => {
  test.describe("with a form that the server rejects", () => {
    test.use({ expectedErrors: [/status of 400/] });

    test("the booking and report dialogs fit the window, pass axe, work by keyboard and return focus", async ({
      buyerPage: page,
      laptop,
      seller,
    }) => {
      await page.goto(`/categoryProducts/${laptop.category}`);
      for (const [button, name] of Object.entries({ "Book Now": "book", Report: "report" })) {
        await test.step(`the dialog opened by ${button} focuses the first error and returns focus when closed`, async () => {
          const opener = cardOf(page, laptop).getByRole("button", { name: button });
          await openByKeyboard(page, opener, laptop.product_name);
          await expect(page).toHaveURL(new RegExp(`\\?${name}=`));
          await page.getByRole("button", { name: "Submit" }).click();
          await expect(
            page.getByRole("dialog").locator("[aria-invalid=true]").first(),
          ).toBeFocused();
          await expectFitForAll(page, opener);
        });
      }

      await test.step("a dialog opens even while another one is closing", async () => {
        const first = await listLaptop(seller);
        await page.goto(`/categoryProducts/${laptop.category}?book=${first._id}`);
        await expect(page.getByRole("dialog", { name: first.product_name })).toBeVisible();
        const book = cardOf(page, laptop).getByRole("button", { name: "Book Now" });
        await book.evaluate(closeAndPress);
        await expect(page.getByRole("dialog", { name: laptop.product_name })).toBeVisible();
        const report = cardOf(page, laptop).getByRole("button", { name: "Report" });
        await report.evaluate(closeAndPress);
        await expect(page.getByRole("dialog").getByLabel("Comment")).toBeVisible();
      });
    });
  });

  test("the delete dialog fits the window, passes axe, works by keyboard and returns focus", async ({
    page,
    newSeller,
  }) => {
    const { product_name } = await listLaptop(newSeller);
    await signIn(page, newSeller);
    await page.goto("/dashboard/myProducts");
    await openActions(rowOf(page, product_name));
    const opener = rowOf(page, product_name).getByRole("button", { name: "Delete" });
    await openByKeyboard(page, opener, "Are you sure you want to delete?");
    await expectFitForAll(page, opener);
    await expect(rowOf(page, product_name)).toBeVisible();
  });
});

function closeAndPress(button: HTMLElement): void {
  document.querySelector("dialog")?.close();
  button.click();
}

async function openByKeyboard(page: Page, opener: Locator, name: string): Promise<void> {
  await opener.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name })).toBeVisible();
}

async function expectFitForAll(page: Page, opener: Locator): Promise<void> {
  const dialog = page.getByRole("dialog");
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    const box = await dialog.boundingBox();
    expect.soft(box?.x).toBeGreaterThanOrEqual(0);
    expect.soft((box?.x ?? 0) + (box?.width ?? width + 1)).toBeLessThanOrEqual(width);
    const beyond = await dialog.evaluate((it) => it.scrollWidth - it.clientWidth);
    expect.soft(beyond, `at ${width} pixels`).toBe(0);
  }
  await expectAccessible(page, "dialog");
  const byKeyboard = await tabThrough(page);
  expect.soft(byKeyboard).toEqual(allReachable);
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(opener).toBeFocused();
}
