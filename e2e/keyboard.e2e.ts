import { expect } from "@playwright/test";
import { sell } from "./members.ts";
import { cardOf, rowOf, signIn, test } from "./person.ts";
import { everything, tabThrough } from "./tab-through.ts";

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
