import { expect } from "@playwright/test";
import { photo } from "#server/testing/marketplace.ts";
import { listLaptop } from "./accounts.ts";
import { cardOf, signIn, test, toastOf } from "./fixtures.ts";

test.use({ expectedErrors: [/status of 400.*\/api\/users\/photo/] });

test("§4.2: a new name shows in the navigation bar and on the seller's listings, and a photo can be previewed, saved and removed", async ({
  page,
  newSeller,
}) => {
  const laptop = await listLaptop(newSeller);
  await signIn(page, newSeller);
  await page.goto("/dashboard/addProduct");
  await page.getByRole("link", { name: `Your profile, ${newSeller.name}` }).click();
  // The URL changes before the page does, and Add Product has a name and a photo as well.
  const title = page.getByRole("heading", { level: 1, name: "Profile" });
  await expect(title).toBeVisible();
  await page.getByLabel("Name").fill("");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByLabel("Name")).toHaveAccessibleDescription("Name is Required.");
  await page.getByLabel("Name").fill("Grace Hopper");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(toastOf(page, "Profile saved.")).toBeVisible();
  await expect(page.getByRole("link", { name: "Your profile, Grace Hopper" })).toBeVisible();
  await page.getByRole("link", { name: "Add Product" }).click();
  await expect(page.getByLabel("Seller Name")).toHaveValue("Grace Hopper");

  await page.getByRole("link", { name: "Your profile, Grace Hopper" }).click();
  await expect(title).toBeVisible();
  const field = page.getByLabel("Photo", { exact: true });
  const upload = (buffer: Buffer) =>
    field.setInputFiles({ name: "me.jpg", mimeType: "image/jpeg", buffer });
  const save = page.getByRole("button", { name: "Save" });
  await upload(Buffer.alloc(10 * 1024 * 1024 + 1));
  await expect(field).toHaveAccessibleDescription("Choose a photo of up to 10 MB.");
  await upload(Buffer.from("not a photo"));
  await page.getByLabel("Name").fill("Somebody Else");
  await save.click();
  await expect(field).toHaveAccessibleDescription(
    "That file is not a photo we can read. Choose a JPEG, PNG, WebP or AVIF image.",
  );
  await page.reload();
  await expect(page.getByLabel("Name")).toHaveValue("Grace Hopper");

  const inBar = page.getByRole("link", { name: "Your profile" }).locator("img");
  await upload(await photo({ width: 640, height: 480 }));
  await expect(page.getByRole("main").locator("img")).toHaveAttribute("src", /^blob:/);
  await expect(inBar).toHaveCount(0);
  await save.click();
  await expect(inBar).toHaveAttribute("src", /^\/images\/[0-9a-f]{64}\.jpg$/);
  await page.reload();
  await expect(inBar).toHaveJSProperty("naturalWidth", 256);
  await page.getByRole("button", { name: "Remove photo" }).click();
  await save.click();
  await expect(inBar).toHaveCount(0);
  await page.goto(`/categoryProducts/${laptop.category}`);
  await expect(cardOf(page, laptop)).toContainText("Grace Hopper");
  await expect(page.getByRole("link", { name: "Your profile, Grace Hopper" })).toBeVisible();
  await expect(inBar).toHaveCount(0);
});
