import { expect } from "@playwright/test";
import { paths } from "#web/paths.ts";
import { listLaptop } from "./accounts.ts";
import { dashboardMenu, navigateOnClient, signIn, signInAs, test, toastOf } from "./fixtures.ts";

test("a buyer becomes a seller with one click, and can still buy", async ({
  buyerPage: page,
  laptop,
  buyer,
}) => {
  await page.goto(paths.addProduct());
  await expect(page.getByRole("heading", { name: "This page is for sellers" })).toBeVisible();
  await expect(page.getByText("Your orders, messages and saved laptops stay.")).toBeVisible();
  await page.getByRole("button", { name: "Sell with this account" }).click();
  await expect(page.getByRole("heading", { name: "Add Product" })).toBeVisible();
  await expect(dashboardMenu(page).getByRole("link")).toHaveText([
    "My Orders",
    "Add Product",
    "My Products",
    "Overview",
    "Payouts",
    "Messages",
    "Saved",
    "Invitations",
    "Profile",
  ]);
  const summary = page.getByRole("article").filter({ hasText: "Details" });
  const own = await listLaptop(buyer, { category: laptop.category });
  await test.step("members can edit and advertise their own laptop, but can't book or report it", async () => {
    await navigateOnClient(page, paths.laptop(own._id, own.product_name));
    await expect(summary.getByText("This is your listing.")).toBeVisible();
    await expect(summary.getByRole("button", { name: /Book Now|Report/ })).toHaveCount(0);
    await summary.getByRole("button", { name: "Advertise Off" }).click();
    await expect(summary.getByRole("button", { name: "Advertise On" })).toBeVisible();
    await summary.getByRole("link", { name: "Edit" }).click();
    await expect(page).toHaveURL(paths.editProduct(own._id));
  });
  await navigateOnClient(page, paths.laptop(laptop._id, laptop.product_name));
  await summary.getByRole("button", { name: "Book Now" }).click();
  await expect(page.getByRole("dialog", { name: laptop.product_name })).toBeVisible();
});

test("§2.3.7: My Orders links admins to All Sellers, and sellers to Profile, where they can start buying", async ({
  page,
  newSeller,
  laptop,
  demoMembers,
}) => {
  await signIn(page, newSeller);
  await page.goto(paths.myOrders());
  await page.getByRole("main").getByRole("link", { name: "Go to Profile" }).click();
  await page.getByRole("button", { name: "Buy with this account" }).click();
  await expect(toastOf(page, "You can buy laptops now.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Buy with this account" })).toHaveCount(0);
  await dashboardMenu(page).getByRole("link", { name: "My Orders" }).click();
  await expect(page.getByText("Find one you like and press Book Now.")).toBeVisible();
  await navigateOnClient(page, paths.laptop(laptop._id, laptop.product_name));
  await expect(page.getByRole("button", { name: "Book Now" }).first()).toBeEnabled();
  await signInAs(page, demoMembers.admin);
  await page.goto(paths.myOrders());
  await expect(page.getByText("Admins can't book laptops.")).toBeVisible();
  await page.getByRole("main").getByRole("link", { name: "Go to All Sellers" }).click();
  await expect(page).toHaveURL("/dashboard/allSellers");
});

test("empty Offers and Messages pages tell sellers how buyers reach them, and tell admins who can use them", async ({
  page,
  newSeller,
  laptop,
  demoMembers,
}) => {
  await signIn(page, newSeller);
  await page.goto(paths.offers());
  const main = page.getByRole("main");
  await expect(main).toContainText("When a buyer offers another price");
  await expect(main.getByRole("link", { name: "Search laptops" })).toHaveCount(0);
  await page.goto(paths.messages());
  await expect(main).toContainText("When a buyer asks about one of your laptops");
  await expect(main.getByRole("link", { name: "Search laptops" })).toHaveCount(0);
  await page.goto(`${paths.offers()}?about=${laptop._id}`);
  await main.getByRole("link", { name: "profile" }).click();
  await expect(page).toHaveURL(paths.profile());
  await signInAs(page, demoMembers.admin);
  await page.goto(`${paths.offers()}?about=${laptop._id}`);
  await expect(main).toContainText("Only buyers can make an offer");
  await expect(main.getByRole("link", { name: "profile" })).toHaveCount(0);
  await page.goto(paths.offers());
  await expect(main).toContainText("Admins can't make or answer offers.");
  await page.goto(paths.messages());
  await expect(main).toContainText("Only buyers and sellers write to each other here");
});
