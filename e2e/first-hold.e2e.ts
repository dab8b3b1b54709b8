/// <reference lib="dom" />
import { expect } from "@playwright/test";
import { toggleAdvertise } from "#contract/products.ts";
import { listLaptop, newCredentials } from "./accounts.ts";
import { cardOf, test } from "./fixtures.ts";

test("a new visitor needs at most five clicks and two booking fields to sign up and book a laptop", async ({
  page,
  seller,
}) => {
  const laptop = await listLaptop(seller);
  await seller.call(toggleAdvertise, { body: { id: laptop._id, advertiseStatus: false } });
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
  const who = newCredentials("Bertil");
  await page.goto("/");
  await cardOf(page, laptop).getByRole("button", { name: "Book Now" }).click();
  await page.getByRole("link", { name: "Create new account" }).click();
  await page.getByLabel("Name").fill(who.name);
  await page.getByLabel("Email").fill(who.email);
  await page.getByLabel("Password", { exact: true }).fill(who.password);
  await page.getByRole("main").getByRole("button", { name: "Sign up" }).click();

  const dialog = page.getByRole("dialog");
  const fields = dialog.locator("input:not([readonly])");
  await expect(fields).toHaveCount(2);
  await dialog.getByLabel("Phone").fill("5550177");
  await dialog.getByLabel("Meeting Location").fill("Central Library");
  await dialog.getByRole("button", { name: "Submit" }).click();
  await expect(page.getByText("Booking confirmed.")).toBeVisible();
  await expect(page.getByRole("row").nth(1)).toContainText("Held for you");
  expect(clicks).toBeLessThanOrEqual(5);
  expect(clicks).toBeGreaterThan(0);
});
