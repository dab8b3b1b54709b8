import { expect } from "@playwright/test";
import { paths } from "#web/paths.ts";
import { listLaptop } from "./accounts.ts";
import { rowOf, signIn, test, toastOf, waitForHydration } from "./fixtures.ts";

test("a card leads to the laptop's page, where a buyer books it", async ({ buyerPage, laptop }) => {
  const { _id, product_name, category } = laptop;
  await buyerPage.goto(paths.categoryProducts(category));
  const card = buyerPage.getByRole("article").filter({ hasText: product_name });
  await card.getByRole("heading").getByRole("link").focus();
  // The link covers the photo.
  await card.click({ position: { x: 40, y: 40 } });
  await expect(buyerPage).toHaveURL(paths.laptop(_id, product_name));
  await expect(buyerPage).toHaveTitle(new RegExp(product_name));
  await expect(buyerPage.getByRole("heading", { level: 1, name: product_name })).toBeVisible();
  const article = buyerPage.getByRole("article").filter({ hasText: "Details" });
  await expect(article.getByRole("row", { name: "Location" })).toContainText(laptop.location);
  await article.getByRole("button", { name: "Book Now" }).click();
  await expect(buyerPage).toHaveURL(`${paths.laptop(_id, product_name)}?book=${_id}`);
  const dialog = buyerPage.getByRole("dialog", { name: product_name });
  await dialog.getByLabel("Phone").fill("5550177");
  await dialog.getByLabel("Meeting Location").fill("Central Library");
  await dialog.getByRole("button", { name: "Submit" }).click();
  await expect(buyerPage).toHaveURL(paths.myOrders());
  await expect(rowOf(buyerPage, product_name)).toBeVisible();
  await buyerPage.goto(paths.laptop(_id, product_name));
  await expect(buyerPage.getByText("Someone has booked this laptop")).toBeVisible();
});

test("a visitor's early click on Book Now leads to login and back", async ({ page, laptop }) => {
  const path = paths.laptop(laptop._id, laptop.product_name);
  await page.goto(path);
  await page.getByRole("button", { name: "Book Now" }).first().click();
  await expect(page).toHaveURL(paths.login(`${path}?book=${laptop._id}`));
});

test("its own seller can neither book nor report it", async ({ page, newSeller }) => {
  const { _id, product_name } = await listLaptop(newSeller);
  await signIn(page, newSeller);
  await page.goto(paths.laptop(_id, product_name));
  const article = page.getByRole("article").filter({ hasText: "Details" });
  await expect(article.getByText("This is your listing.")).toBeVisible();
  for (const name of ["Book Now", "Report"])
    await expect(article.getByRole("button", { name })).toBeDisabled();
});

test("Share copies the address where there is no share sheet", async ({ page, laptop }) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const path = paths.laptop(laptop._id, laptop.product_name);
  await page.goto(path);
  await waitForHydration(page);
  await page.getByRole("button", { name: "Share" }).click();
  await expect(toastOf(page, "Link copied.")).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(new URL(copied).pathname).toBe(path);
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("a laptop's page shows everything but what needs them", async ({ page, laptop }) => {
    await page.goto(paths.laptop(laptop._id, laptop.product_name));
    await expect(page.getByRole("heading", { level: 1 })).toContainText(laptop.product_name);
    await expect(page.getByText(laptop.description).first()).toBeVisible();
    await expect(page.getByRole("row", { name: "Purchase Year" })).toContainText("2024");
    await expect(page.getByRole("button", { name: "Share" })).toBeHidden();
  });
});
