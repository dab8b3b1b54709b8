import { expect } from "@playwright/test";
import { newCredentials } from "./accounts.ts";
import { fillCard, logIn, phonePhoto, signOut, signUp, test } from "./fixtures.ts";

test("a seller lists a laptop; a buyer finds, books and pays for it", async ({ page }) => {
  const seller = newCredentials("Selma");
  const buyer = newCredentials("Bertil");
  const laptop = `ThinkPad T14s ${seller.email.slice(6, 14)}`;

  await page.goto("/");
  await expect(page.getByRole("heading", { name: "Product Categories" })).toBeVisible();

  await signUp(page, seller, "Seller");
  await page.getByRole("link", { name: "Dashboard" }).first().click();
  await expect(page).toHaveURL("/dashboard/addProduct");
  await page.getByRole("link", { name: "Show all on one page" }).click();
  await page.getByLabel("Product Name").fill(laptop);
  await page.getByLabel("Category").selectOption("Lenovo");
  await page.getByLabel("Condition").selectOption("Good");
  await page.getByLabel("Resale Price").fill("480");
  await page.getByLabel("Original Price").fill("1459");
  await page.getByLabel("Year of Purchase").fill("2023");
  await page.getByLabel("Duration").fill("31");
  await page.getByLabel("Mobile Number").fill("5550142");
  await page.getByLabel("Location").fill("Malmö");
  await page
    .getByLabel("Description")
    .fill("Battery at 91 %. One key is shiny. Charger and sleeve included.");
  await page.getByLabel("Photo", { exact: true }).setInputFiles(await phonePhoto());
  await page.getByRole("button", { name: "Add Product" }).click();
  await expect(page.getByText(`Product ${laptop} is added successfully`)).toBeVisible();
  await expect(page).toHaveURL("/dashboard/myProducts");
  await expect(page.getByText(laptop).first()).toBeVisible();
  await signOut(page);

  await signUp(page, buyer, "Buyer");
  await page.goto("/");
  await page
    .locator("#categories")
    .getByRole("link", { name: /Lenovo/ })
    .first()
    .click();
  await expect(page.getByRole("heading", { name: "Products by Category" })).toBeVisible();
  const card = page.getByRole("article").filter({ hasText: laptop });
  await card.getByRole("button", { name: "Book Now" }).click();
  const dialog = page.getByRole("dialog", { name: laptop });
  await expect(dialog.getByLabel("Name")).toHaveValue(buyer.name);
  await expect(dialog.getByLabel("Email")).toHaveValue(buyer.email);
  await expect(dialog.getByLabel("Price")).toHaveValue("$480");
  await dialog.getByLabel("Phone").fill("5550177");
  await dialog.getByLabel("Meeting Location").fill("Malmö C, under the clock");
  await dialog.getByRole("button", { name: "Submit" }).click();
  await expect(page.getByText("Booking confirmed")).toBeVisible();

  await expect(page).toHaveURL("/dashboard");
  const order = page.getByRole("row").filter({ hasText: laptop });
  await expect(order).toContainText("$480");
  await order.getByRole("link", { name: "Pay" }).click();
  await expect(page.getByText(`Payment for ${laptop}`)).toBeVisible();
  await expect(page.getByText("Please Pay $480 for your booking product")).toBeVisible();
  await fillCard(page, "4242 4242 4242 4242");
  await page.getByRole("button", { name: /^Pay \$/ }).click();
  await expect(page.getByText("Congrats! your payment completed")).toBeVisible();
  await expect(page.getByText(/pi_\w+/)).toBeVisible();

  await page.goto("/dashboard");
  await expect(page.getByRole("row").filter({ hasText: laptop })).toContainText("Paid");
  await page.goto("/");
  await page
    .locator("#categories")
    .getByRole("link", { name: /Lenovo/ })
    .first()
    .click();
  await expect(page.getByRole("article").first()).toBeVisible();
  await expect(page.getByText(laptop)).toHaveCount(0);
  await signOut(page);

  await logIn(page, seller);
  await page.goto("/dashboard/myProducts");
  await expect(page.getByRole("row").filter({ hasText: laptop })).toContainText(/sold/i);
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false, expectedErrors: [/status of 4\d\d/] });

  test("a password submitted without JavaScript does not appear in the URL", async ({ page }) => {
    for (const path of ["/login", "/signup"]) {
      await page.goto(path);
      await page.getByLabel("Password", { exact: true }).fill("Secret#2026");
      await page.getByRole("main").locator("[type=submit]").click();
      await page.waitForLoadState();
      await expect(page).toHaveURL(path);
      await expect(page.getByLabel("Password", { exact: true })).toHaveCount(0);
    }
  });
});
