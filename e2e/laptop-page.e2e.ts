import { expect } from "@playwright/test";
import { takeDownProduct } from "#contract/products.ts";
import { paths } from "#web/paths.ts";
import { buyLaptop, listLaptop } from "./accounts.ts";
import { rowOf, signIn, submitBooking, test, toastOf, waitForHydration } from "./fixtures.ts";

test("a product card links to the laptop's page, where a buyer books the laptop", async ({
  buyerPage,
  seller,
}) => {
  const laptop = await listLaptop(seller, { description: "Write to anna@host.sg first." });
  const { _id, product_name, category } = laptop;
  await buyerPage.goto(paths.categoryProducts(category));
  const card = buyerPage.getByRole("article").filter({ hasText: product_name });
  await card.getByRole("heading").getByRole("link").focus();
  // The card's link also covers the photo.
  await card.click({ position: { x: 40, y: 40 } });
  await expect(buyerPage).toHaveURL(paths.laptop(_id, product_name));
  await expect(buyerPage).toHaveTitle(new RegExp(product_name));
  await expect(buyerPage.getByRole("heading", { level: 1, name: product_name })).toBeVisible();
  const article = buyerPage.getByRole("article").filter({ hasText: "Details" });
  await expect(article.getByRole("row", { name: "Location" })).toContainText(laptop.location);
  await expect(buyerPage.getByText("Write to [hidden until booked] first.")).toBeVisible();
  await expect(buyerPage.getByText("anna@host.sg")).toHaveCount(0);
  await article.getByRole("button", { name: "Book Now" }).click();
  await expect(buyerPage).toHaveURL(`${paths.laptop(_id, product_name)}?book=${_id}`);
  await submitBooking(buyerPage);
  await expect(buyerPage).toHaveURL(paths.myOrders());
  await expect(rowOf(buyerPage, product_name)).toBeVisible();
  await buyerPage.goto(paths.laptop(_id, product_name));
  await expect(buyerPage.getByText("You have booked this laptop.")).toBeVisible();
  await test.step("§10.12: contact details in a laptop's description are shown to the buyer who holds it", async () => {
    await expect(buyerPage.getByText("Write to anna@host.sg first.")).toBeVisible();
  });
  // A hydration mismatch logs React's error 418, which fails the test.
  await test.step("pages hydrate without errors when their URL opens the booking dialog for an unknown laptop", async () => {
    for (const path of [paths.laptop(_id, product_name), paths.categoryProducts(category)]) {
      await buyerPage.goto(`${path}?book=01935a00-0000-7000-8000-000000000001`);
      await waitForHydration(buyerPage);
      await expect(buyerPage.getByText("The laptop you chose isn't shown here.")).toBeVisible();
    }
  });
});

test("a sold laptop's page says Sold, and lets the buyer report the laptop and open My Orders, but not ask the seller", async ({
  page,
  newSeller,
  buyer,
}) => {
  const laptop = await listLaptop(newSeller);
  await buyLaptop(buyer, laptop);
  const path = paths.laptop(laptop._id, laptop.product_name);
  const sold = page.getByText("Sold. This laptop has found a new owner.");
  await page.goto(path);
  await expect(sold).toBeVisible();
  await signIn(page, newSeller);
  await page.goto(path);
  await waitForHydration(page);
  await expect(sold).toBeVisible();
  await expect(page.locator(".report")).toHaveCount(0);
  await signIn(page, buyer);
  await page.goto(path);
  await waitForHydration(page);
  const article = page.locator(`article[data-product="${laptop._id}"]`);
  await expect(article.getByText("Sold to you. You bought this.")).toBeVisible();
  await expect(article.getByRole("button", { name: "Book Now" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Save" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Ask the seller" })).toHaveCount(0);
  await article.getByRole("button", { name: "Report" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Comment").fill("I never got this laptop.");
  await dialog.getByRole("button", { name: "Submit" }).click();
  await expect(dialog).toBeHidden();
  await page.getByText("You bought this.").getByRole("link", { name: "My Orders" }).click();
  await expect(page).toHaveURL(paths.myOrders());
});

test.describe("a laptop's page before and after an admin takes the laptop down", () => {
  test.use({ expectedErrors: [/status of 410/] });

  test("a visitor can share a laptop's URL, but must log in to book, and Back does not show a removed laptop", async ({
    page,
    newSeller,
    demoMembers,
  }) => {
    const { _id: id, product_name } = await listLaptop(newSeller);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const path = paths.laptop(id, product_name);
    await page.goto(path);
    await waitForHydration(page);
    await page.getByRole("button", { name: "Share" }).click();
    await expect(toastOf(page, "Link copied.")).toBeVisible();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(new URL(copied).pathname).toBe(path);
    await page.getByRole("button", { name: "Book Now" }).first().click();
    await expect(page).toHaveURL(paths.login(`${path}?book=${id}`));
    await page.goBack();
    await expect(page.getByRole("heading", { level: 1, name: product_name })).toBeVisible();
    await page.getByRole("link", { name: "Home" }).first().click();
    await expect(page).toHaveURL(paths.home());
    await demoMembers.admin.call(takeDownProduct, { body: { id, reason: "It isn't a laptop." } });
    await page.goBack();
    await expect(page.getByRole("heading", { name: "This page was removed" })).toBeVisible();
  });
});
