import { randomUUID } from "node:crypto";
import { expect, type Page } from "@playwright/test";
import { paths } from "#web/paths.ts";
import { listLaptop, receiveLaptop } from "./accounts.ts";
import { fillProduct, openAddProduct } from "./add-product-form.ts";
import { rowOf, signIn, test } from "./fixtures.ts";

const addButton = (page: Page) => page.getByRole("button", { name: "Add Product" });

test.describe("the serial number", () => {
  test.use({ expectedErrors: [/status of 409/] });

  test("a serial number can't be listed twice, and relisting a sold laptop requires the transaction ID", async ({
    page,
    newSeller,
    seller: reseller,
    buyer,
  }) => {
    const end = randomUUID().slice(0, 4);
    const serial = `  pf2x ${end} `;
    const laptop = await listLaptop(newSeller, { serial_number: serial });
    await signIn(page, newSeller);
    await page.goto(paths.editProduct(laptop._id));
    await expect(page.getByLabel("Serial Number")).toHaveAttribute(
      "placeholder",
      `Ends in ${end.toUpperCase()}`,
    );

    await openAddProduct(page, reseller);
    await fillProduct(page, "Framework 13 second");
    await page.getByLabel("Resale Price").fill("640");
    await page.getByLabel("Serial Number").fill(serial);
    await addButton(page).click();
    await expect(
      page.getByText("A laptop with this serial number is for sale already."),
    ).toBeVisible();
    await expect(page.getByLabel("Serial Number")).toBeFocused();

    const { transaction } = await receiveLaptop(buyer, laptop);
    const proof = page.getByLabel("Transaction ID (if you bought it here)");
    await addButton(page).click();
    await expect(page.getByText("only its buyer can list it.")).toBeVisible();
    await expect(proof).toBeFocused();
    await proof.fill(transaction);
    await addButton(page).click();
    await expect(page).toHaveURL(paths.myProducts());
    await expect(rowOf(page, "Framework 13 second")).toBeVisible();
  });
});
