/// <reference lib="dom" />
import { expect, type Page } from "@playwright/test";
import { toggleAdvertise } from "#contract/products.ts";
import { newCredentials } from "./accounts.ts";
import { cardOf, rowOf, test } from "./fixtures.ts";

test("a new visitor books an advertised laptop with at most five clicks and two booking fields", async ({
  page,
  seller,
  laptop,
}) => {
  await seller.call(toggleAdvertise, { body: { id: laptop._id, advertiseStatus: false } });
  const buyer = newCredentials("Bertil");
  const clicks = await countClicks(page);
  await page.goto("/");
  await test.step("§2.5.5 §6.1: a visitor who presses Book Now is sent to Login", async () => {
    const card = cardOf(page, laptop);
    await card.getByRole("button", { name: "Book Now" }).click();
    await expect(page).toHaveURL(/\/login\?from=%2F%3Fbook%3D/);
    await expect(page.getByText("Log in or sign up to book this laptop.")).toBeVisible();
  });
  await page.getByRole("link", { name: "Create new account" }).click();
  await page.getByLabel("Name").fill(buyer.name);
  await page.getByLabel("Email").fill(buyer.email);
  await page.getByLabel("Password", { exact: true }).fill(buyer.password);
  await page.getByRole("main").getByRole("button", { name: "Sign up" }).click();
  const dialog = page.getByRole("dialog", { name: laptop.product_name });
  await expect(dialog.locator("input:not([readonly])")).toHaveCount(2);
  await dialog.getByLabel("Phone").fill("5550177");
  await dialog.getByLabel("Meeting Location").fill("Malmö C, under the clock");
  await dialog.getByRole("button", { name: "Submit" }).click();
  await expect(page.getByText("Booking confirmed.")).toBeVisible();
  expect(clicks()).toBeLessThanOrEqual(5);
  expect(clicks()).toBeGreaterThan(0);

  await expect(page).toHaveURL("/dashboard");
  await expect(rowOf(page, laptop.product_name)).toContainText("Held for you");
});

/** Counts clicks on pages that open after this call. */
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
