import { expect } from "@playwright/test";
import { editProduct } from "#contract/products.ts";
import { draftListing } from "#server/testing/marketplace.ts";
import { paths } from "#web/paths.ts";
import { bookLaptop, listLaptop } from "./accounts.ts";
import { expectRefusal, navigateOnClient, rowOf, signIn, test, toastOf } from "./fixtures.ts";
import { failedRequestLog } from "./network.ts";

test.use({ expectedErrors: [failedRequestLog] });

test("Edit changes a listing's price and facts, and the laptop's page shows the new values and the earlier price", async ({
  page,
  newSeller,
}) => {
  const laptop = await listLaptop(newSeller);
  await signIn(page, newSeller);
  await page.goto(paths.myProducts());
  await rowOf(page, laptop.product_name).getByRole("link", { name: "Edit" }).click();
  await expect(page.getByLabel("Product Name")).toHaveValue(laptop.product_name);
  await expect(page.getByLabel("Mobile Number")).toHaveValue(laptop.mobile_number);
  await expect(page.getByRole("img", { name: "The listing's photo" })).toBeVisible();
  await page.getByLabel("Resale Price").fill("599.50");
  // The draft stores only the changed price, so a location changed elsewhere must be kept.
  const { product_name } = laptop;
  const body = await draftListing(newSeller, { product_name, location: "York" });
  await newSeller.call(editProduct, { params: { id: laptop._id }, body });
  await page.reload();
  await expect(page.getByText("You have unsaved changes from earlier.")).toBeVisible();
  await expect(page.getByLabel("Resale Price")).toHaveValue("599.50");
  await expect(page.getByLabel("Location")).toHaveValue("York");
  await page.getByRole("button", { name: "Discard changes" }).click();
  await expect(page.getByLabel("Resale Price")).toHaveValue("640");
  await expect(page.getByText("You have unsaved changes from earlier.")).toBeHidden();
  await page.getByLabel("Resale Price").fill("599.50");
  await page.getByText("More details").click();
  await page.getByLabel("Memory (GB)").fill("16");
  const lowestPrice = page.getByLabel("Lowest price");
  const save = page.getByRole("button", { name: "Save Changes" });
  await test.step("an invalid lowest price is rejected, and a failed save keeps the price in the form", async () => {
    await lowestPrice.fill("nothing");
    await save.click();
    await expect(page.getByText("Lowest price must be a number")).toBeVisible();
    await lowestPrice.fill("400");
    await page.route("**/api/products/*", (route) => route.abort());
    await save.click();
    await expectRefusal(page, "We can't reach the shop. Check your connection and try again.");
    await expect(lowestPrice).toHaveValue("400");
    await page.unroute("**/api/products/*");
  });
  await save.click();
  await expect(toastOf(page, `Product ${laptop.product_name} is changed.`)).toBeVisible();
  await expect(page).toHaveURL(paths.myProducts());
  await expect(rowOf(page, laptop.product_name)).toContainText("$599.50");
  await navigateOnClient(page, paths.laptop(laptop._id, laptop.product_name));
  await expect(page.getByRole("row", { name: "Memory" })).toContainText("16 GB");
  const history = page.getByRole("region", { name: "Price history" }).getByRole("listitem");
  await expect(history).toHaveText([/: \$640$/, /: \$599\.50$/]);
  await navigateOnClient(page, paths.editProduct(laptop._id));
  await expect(lowestPrice).toHaveValue("400");
});

test("an edit form opened before the price changed elsewhere saves only what was changed in it", async ({
  page,
  newSeller,
}) => {
  const laptop = await listLaptop(newSeller, { facts: { ram_gb: 8, cpu: "Core i5-1135G7" } });
  await signIn(page, newSeller);
  await page.goto(paths.editProduct(laptop._id));
  await expect(page.getByLabel("Resale Price")).toHaveValue("640");
  const { product_name } = laptop;
  const changes = { product_name, resale_price: 590, floor: 500, facts: { ram_gb: 16 } };
  const body = await draftListing(newSeller, changes);
  await newSeller.call(editProduct, { params: { id: laptop._id }, body });
  await page.getByLabel("Location").fill("York");
  await page.getByRole("button", { name: "Save Changes" }).click();
  await expect(rowOf(page, product_name)).toContainText("$590");
  await navigateOnClient(page, paths.editProduct(laptop._id));
  await expect(page.getByLabel("Location")).toHaveValue("York");
  await expect(page.getByLabel("Resale Price")).toHaveValue("590");
  await expect(page.getByLabel("Lowest price")).toHaveValue("500");
  await expect(page.getByLabel("Memory (GB)")).toHaveValue("16");
});

test.describe("while a laptop is held", () => {
  test.use({ expectedErrors: [/status of 409/] });

  test("a held laptop has no Edit link, and an edit form opened before the hold can't be saved", async ({
    page,
    newSeller,
    buyer,
  }) => {
    const laptop = await listLaptop(newSeller);
    await signIn(page, newSeller);
    await page.goto(paths.editProduct(laptop._id));
    await expect(page.getByLabel("Product Name")).toHaveValue(laptop.product_name);
    await bookLaptop(buyer, laptop);
    await page.getByLabel("Location").fill("York");
    await page.getByRole("button", { name: "Save Changes" }).click();
    await expect(page.getByText("Someone has booked this laptop.")).toBeVisible();
    await navigateOnClient(page, paths.myProducts());
    await expect(rowOf(page, laptop.product_name)).toContainText(/booked/i);
    await expect(page.getByRole("link", { name: "Edit" })).toHaveCount(0);
  });
});
