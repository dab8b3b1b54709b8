/// <reference lib="dom" />
import { expect, type Page } from "@playwright/test";
import { sell } from "./members.ts";
import { rowOf, signIn, test } from "./person.ts";

const widths = [390, 768, 1440];

test.describe("nothing reaches beyond the window, at 390, 768 and 1440 pixels", () => {
  test("in the dialogs", async ({ page, buyer, seller }) => {
    const laptop = await sell(seller);
    await signIn(page, buyer);
    for (const dialog of ["book", "report"]) {
      await page.goto(`/categoryProducts/${laptop.category}?${dialog}=${laptop._id}`);
      await expectDialogInside(page);
    }
  });

  test("in the confirmation", async ({ page, newSeller }) => {
    const { product_name } = await sell(newSeller);
    await signIn(page, newSeller);
    await page.goto("/dashboard/myProducts");
    await rowOf(page, product_name).getByRole("button", { name: "Delete" }).click();
    await expectDialogInside(page);
  });
});

async function expectDialogInside(page: Page): Promise<void> {
  const dialog = page.getByRole("dialog");
  await expect(dialog).toBeVisible();
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    const box = await dialog.boundingBox();
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? width + 1)).toBeLessThanOrEqual(width);
    expect(await dialog.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(
      0,
    );
  }
}
