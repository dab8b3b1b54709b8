/// <reference lib="dom" />
import { expect, type Locator } from "@playwright/test";
import { bookLaptop, listLaptop, payForBooking } from "./accounts.ts";
import { columnsOf, rowOf, signIn, test, toastOf } from "./fixtures.ts";

test.use({ role: "admin" });

test("§10.21: an admin finds and refunds a payment; the buyer sees amount and date", async ({
  page,
  seller,
  buyer,
}) => {
  const laptop = await listLaptop(seller);
  const transaction = await payForBooking(buyer, await bookLaptop(buyer, laptop));
  await page.goto("/dashboard/payments");
  const columns = ["When", "Buyer", "Laptop", "Price", "Status", "Action"];
  await expect(columnsOf(page)).toHaveText(columns);

  await page.getByLabel("Search").fill(buyer.email.slice(0, 12));
  await page.getByRole("button", { name: "Search" }).click();
  await expect(page.getByRole("row")).toHaveCount(2);
  const row = rowOf(page, transaction);
  await expect(row).toContainText(`${buyer.name}${buyer.email}`);
  await expect(row).toContainText("$640");
  await expect(row).toContainText("Paid");

  await row.getByRole("button", { name: `Refund ${laptop.product_name}` }).click();
  const dialog = page.getByRole("dialog", { name: "Refund this payment?" });
  await expect(dialog).toContainText(`${buyer.name} gets $640 back for ${laptop.product_name}`);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(row).toContainText("Paid");
  await row.getByRole("button", { name: "Refund" }).click();
  await dialog.getByRole("button", { name: "Refund" }).click();
  await expect(toastOf(page, `$640 is being refunded to ${buyer.name}`)).toBeVisible();
  await expect(row).toContainText("Refunded");
  await expect(row.getByRole("button", { name: "Refund" })).toHaveCount(0);
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect.poll(() => linesOf(row.getByText(buyer.email))).toBe(1);
  await expect.poll(() => linesOf(row.getByText(/^\d+:\d\d [AP]M$/).last())).toBe(1);

  await page.getByLabel("Search").fill("pi_nobody");
  await page.getByLabel("Search").press("Enter");
  await expect(page.getByText("No payments match “pi_nobody”.")).toBeVisible();
  await page.goBack();
  await expect(row).toBeVisible();

  await page.context().clearCookies();
  await signIn(page, buyer);
  await page.goto("/dashboard");
  const order = rowOf(page, laptop.product_name);
  await expect(order).toContainText("The purchase was cancelled.");
  await expect(order).toContainText(/\$640 was refunded to your card on [A-Z][a-z]{2} \d+, \d{4}/);
});

/** On how many lines an element's text is. */
function linesOf(element: Locator): Promise<number> {
  return element.evaluate((node) => {
    const text = document.createRange();
    text.selectNodeContents(node);
    return new Set([...text.getClientRects()].map(({ top }) => top)).size;
  });
}
