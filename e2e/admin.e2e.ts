import { expect } from "@playwright/test";
import { reportProduct } from "#contract/reports.ts";
import { type Laptop, type Member, sell } from "./members.ts";
import { cardOf, columnsOf, keepScreen, rowOf, test, toastOf } from "./person.ts";

test.use({ role: "admin" });

test.describe("All Sellers", () => {
  test("§2.3 /dashboard/allSellers: lists Name, Email, Verify and Action", async ({
    page,
    newSeller,
  }) => {
    await page.goto("/dashboard/allSellers");
    expect(await columnsOf(page)).toEqual(["Name", "Email", "Verify", "Action"]);
    await expect(rowOf(page, newSeller.email)).toContainText(newSeller.name);
  });

  test("§2.3 /dashboard/allSellers §4 verify: Verify becomes Verified, and the badge shows on the seller's laptops", async ({
    page,
    newSeller,
  }) => {
    const laptop = await sell(newSeller);
    const row = rowOf(page, newSeller.email);
    await page.goto(`/categoryProducts/${laptop.category}`);
    await expect(cardOf(page, laptop)).not.toContainText("Verified seller");
    await page.getByRole("link", { name: "Dashboard" }).click();
    await row.getByRole("button", { name: "Verify", exact: true }).click();
    await expect(row.getByRole("button", { name: "Verified", exact: true })).toBeVisible();
    await page.goto(`/categoryProducts/${laptop.category}`);
    await expect(cardOf(page, laptop)).toContainText("Verified seller");
    await page.goto("/dashboard/allSellers");
    await row.getByRole("button", { name: "Verified", exact: true }).click();
    await expect(row.getByRole("button", { name: "Verify", exact: true })).toBeVisible();
  });

  test("§8.6 seller deleted §2.3 /dashboard/allSellers §5.5: deleting asks, deletes, and says so", async ({
    page,
    newSeller,
  }) => {
    await page.goto("/dashboard/allSellers");
    await rowOf(page, newSeller.email).getByRole("button", { name: "Delete" }).click();
    await expect(page.getByRole("dialog")).toContainText(
      `If you delete ${newSeller.name}. It cannot be undone.`,
    );
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await expect(toastOf(page, `Seller ${newSeller.name} deleted successfully`)).toBeVisible();
    await expect(rowOf(page, newSeller.email)).toHaveCount(0);
  });
});

test.describe("All Buyers", () => {
  test("§2.3 /dashboard/allBuyers: lists Name, Email and Action", async ({ page, buyer }) => {
    await page.goto("/dashboard/allBuyers");
    expect(await columnsOf(page)).toEqual(["Name", "Email", "Action"]);
    await expect(rowOf(page, buyer.email)).toContainText(buyer.name);
  });

  test("§8.6 buyer deleted §2.3 /dashboard/allBuyers §5.5: deleting asks, deletes, and says so", async ({
    page,
    buyer,
  }) => {
    await page.goto("/dashboard/allBuyers");
    await rowOf(page, buyer.email).getByRole("button", { name: "Delete" }).click();
    const dialog = page.getByRole("dialog", { name: "Are you sure you want to delete?" });
    await expect(dialog).toContainText(`If you delete ${buyer.name}. It cannot be undone.`);
    await dialog.getByRole("button", { name: "Delete" }).click();
    await expect(toastOf(page, `Buyer ${buyer.name} deleted successfully`)).toBeVisible();
    await expect(rowOf(page, buyer.email)).toHaveCount(0);
  });
});

test.describe("Reported Items", () => {
  const comment = "The serial number is filed off.";
  const report = (buyer: Member, { _id }: Laptop) =>
    buyer.call(reportProduct, { body: { comment, reportProduct: { _id } } });

  test("§2.3 /dashboard/reportedItems: lists SL, Image, Title, Comment and Action", async ({
    page,
    seller,
    buyer,
  }) => {
    const laptop = await sell(seller);
    await report(buyer, laptop);
    await page.goto("/dashboard/reportedItems");
    expect(await columnsOf(page)).toEqual(["SL", "Image", "Title", "Comment", "Action"]);
    const row = rowOf(page, laptop.product_name);
    await expect(row).toContainText(comment);
    await expect(row.getByRole("img", { name: laptop.product_name })).toBeVisible();
    await expect(row.getByRole("cell").first()).toHaveText(/^\d+$/);
  });

  test("§2.3 /dashboard/reportedItems §5.5: deleting asks, and closes the report", async ({
    page,
    seller,
    buyer,
  }) => {
    const laptop = await sell(seller);
    await report(buyer, laptop);
    await page.goto("/dashboard/reportedItems");
    await rowOf(page, laptop.product_name).getByRole("button", { name: "Delete" }).click();
    const dialog = page.getByRole("dialog", { name: "Are you sure you want to delete?" });
    await expect(dialog).toContainText(
      `If you delete ${laptop.product_name}. It cannot be undone.`,
    );
    await dialog.getByRole("button", { name: "Delete" }).click();
    await expect(
      toastOf(page, `Reported item ${laptop.product_name} deleted successfully`),
    ).toBeVisible();
    await expect(rowOf(page, laptop.product_name)).toHaveCount(0);
  });
});

test.describe("Audit Log", () => {
  test("shows what a member did, by filter and by link; the back button takes filters back", async ({
    page,
    newSeller,
  }) => {
    const { product_name } = await sell(newSeller);
    await page.goto("/dashboard/auditLog");
    await expect(columnsOf(page)).resolves.toEqual(["When", "Who", "Did what", "To what"]);

    await page.getByLabel("Member's email").fill("nobody");
    await page.getByRole("button", { name: "Filter" }).click();
    await expect(page.getByText("Write an email address such as")).toBeVisible();
    await page.getByLabel("Member's email").fill(newSeller.email);
    await page.getByLabel("Object").selectOption("Products");
    await page.getByRole("button", { name: "Filter" }).click();
    await expect(page.getByRole("row")).toHaveCount(2);
    await expect(rowOf(page, product_name)).toContainText(
      `${newSeller.name}${newSeller.email}list`,
    );

    await page.getByRole("link", { name: newSeller.email }).click();
    await expect(rowOf(page, "join")).toBeVisible();
    await page.goBack();
    await expect(page.getByLabel("Object")).toHaveValue("product");
    await expect(page.getByRole("row")).toHaveCount(2);
    await page.getByLabel("Member's email").fill("nobody@example.com");
    await page.getByRole("button", { name: "Filter" }).click();
    await expect(page.getByRole("heading", { name: "Nothing was done" })).toBeVisible();
    await page.getByRole("link", { name: "Show all" }).click();
    await expect(page.getByRole("row").nth(3)).toBeVisible();
    await keepScreen(page, "audit-log");
    await page.setViewportSize({ width: 390, height: 844 });
    await keepScreen(page, "audit-log-phone");
  });
});
