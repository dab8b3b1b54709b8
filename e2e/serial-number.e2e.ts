import { randomUUID } from "node:crypto";
import { expect, type Page } from "@playwright/test";
import { confirmHandover } from "#contract/handover.ts";
import { listSellerProducts } from "#contract/products.ts";
import { bookLaptop } from "#server/testing/marketplace.ts";
import { paths } from "#web/paths.ts";
import { type Member, payForBooking } from "./accounts.ts";
import { fillProduct, onePage } from "./add-product-form.ts";
import { rowOf, signIn, test } from "./fixtures.ts";

const addButton = (page: Page) => page.getByRole("button", { name: "Add Product" });

type Listing = { name: string; serial: string };

async function addLaptop(page: Page, seller: Member, { name, serial }: Listing): Promise<void> {
  await signIn(page, seller);
  await page.goto(onePage);
  await fillProduct(page, name);
  await page.getByLabel("Resale Price").fill("640");
  await page.getByLabel("Serial Number").fill(serial);
  await addButton(page).click();
}

test.describe("the serial number", () => {
  test.use({ expectedErrors: [/status of 409/] });

  test("a serial number can't be listed twice; after the laptop is sold, relisting it requires the transaction ID", async ({
    page,
    newSeller,
    seller: reseller,
    buyer,
  }) => {
    const end = randomUUID().slice(0, 4);
    const serial = `  pf2x ${end} `;
    await addLaptop(page, newSeller, { name: "Framework 13 first", serial });
    await expect(page).toHaveURL(paths.myProducts());
    const [listed] = await newSeller.call(listSellerProducts, {
      params: { email: newSeller.email },
    });
    expect(listed?.serial_end).toBe(end.toUpperCase());
    await page.goto(paths.editProduct(String(listed?._id)));
    await expect(page.getByLabel("Serial Number")).toHaveAttribute(
      "placeholder",
      `Ends in ${end.toUpperCase()}`,
    );

    await addLaptop(page, reseller, { name: "Framework 13 second", serial });
    await expect(
      page.getByText("A laptop with this serial number is for sale already."),
    ).toBeVisible();
    await expect(page.getByLabel("Serial Number")).toBeFocused();

    const booking = await bookLaptop(buyer, String(listed?._id));
    const transaction = await payForBooking(buyer, booking);
    await buyer.call(confirmHandover, { body: { id: booking } });
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
