/// <reference lib="dom" />
import { expect, type Page } from "@playwright/test";
import { newCredentials } from "./accounts.ts";
import { fillProduct } from "./add-product-form.ts";
import { cardOf, fillCard, logIn, rowOf, signOut, signUp, test, toastOf } from "./fixtures.ts";

test("a seller lists a laptop; a new visitor books it with at most five clicks and two booking fields, and pays", async ({
  page,
}) => {
  const seller = newCredentials("Selma");
  const buyer = newCredentials("Bertil");
  const laptop = `ThinkPad T14s ${seller.email.slice(6, 14)}`;
  await signUp(page, seller, "Seller");
  await page.getByRole("link", { name: "Dashboard" }).first().click();
  await expect(page).toHaveURL("/dashboard/addProduct");
  await page.getByRole("link", { name: "Show all on one page" }).click();
  await fillProduct(page, laptop);
  await page.getByRole("button", { name: "Add Product" }).click();
  await expect(toastOf(page, `Product ${laptop} is added successfully`)).toBeVisible();
  await expect(page).toHaveURL("/dashboard/myProducts");
  await rowOf(page, laptop).getByRole("button", { name: "Advertise Off" }).click();
  await expect(rowOf(page, laptop).getByRole("button", { name: "Advertise On" })).toBeVisible();
  await signOut(page);

  const clicks = await countClicks(page);
  await page.goto("/");
  await test.step("§2.5.5 §6.1: a visitor who presses Book Now is sent to Login", async () => {
    const card = cardOf(page, { product_name: laptop });
    await card.getByRole("button", { name: "Book Now" }).click();
    await expect(page).toHaveURL(/\/login\?from=%2F%3Fbook%3D/);
    await expect(page.getByText("Log in or sign up to book this laptop.")).toBeVisible();
  });
  await page.getByRole("link", { name: "Create new account" }).click();
  await page.getByLabel("Name").fill(buyer.name);
  await page.getByLabel("Email").fill(buyer.email);
  await page.getByLabel("Password", { exact: true }).fill(buyer.password);
  await page.getByRole("main").getByRole("button", { name: "Sign up" }).click();
  const dialog = page.getByRole("dialog", { name: laptop });
  await expect(dialog.locator("input:not([readonly])")).toHaveCount(2);
  await dialog.getByLabel("Phone").fill("5550177");
  await dialog.getByLabel("Meeting Location").fill("Malmö C, under the clock");
  await dialog.getByRole("button", { name: "Submit" }).click();
  await expect(page.getByText("Booking confirmed.")).toBeVisible();
  expect(clicks()).toBeLessThanOrEqual(5);
  expect(clicks()).toBeGreaterThan(0);

  await expect(page).toHaveURL("/dashboard");
  const order = rowOf(page, laptop);
  await expect(order).toContainText("Held for you");
  await order.getByRole("link", { name: "Pay" }).click();
  await expect(page.getByText("Please Pay $1,020 for your booking product")).toBeVisible();
  await fillCard(page, "4242 4242 4242 4242");
  await page.getByRole("button", { name: /^Pay \$/ }).click();
  await expect(page.getByText("Congrats! your payment completed")).toBeVisible();
  await page.getByRole("link", { name: "Back to My Orders" }).click();
  await expect(order).toContainText("Paid");

  await page.goto("/");
  const categories = page.locator("#categories");
  await categories.getByRole("link", { name: "Framework" }).first().click();
  await expect(page.getByRole("heading", { name: "Products by Category" })).toBeVisible();
  await expect(page.getByRole("article").first()).toBeVisible();
  await expect(page.getByText(laptop)).toHaveCount(0);
  await signOut(page);
  await logIn(page, seller);
  await page.goto("/dashboard/myProducts");
  await expect(rowOf(page, laptop)).toContainText(/sold/i);
});

/** Counts on pages that open from now on. */
async function countClicks(page: Page): Promise<() => number> {
  let clicks = 0;
  await page.exposeFunction("countClick", () => {
    clicks += 1;
  });
  await page.addInitScript(() =>
    addEventListener(
      "click",
      ({ isTrusted }) =>
        isTrusted && (window as unknown as { countClick: () => void }).countClick(),
      true,
    ),
  );
  return () => clicks;
}
