import { expect } from "@playwright/test";
import { bookLaptop, listLaptop, payForBooking } from "./accounts.ts";
import { changeDatabase } from "./database.ts";
import { rowOf, test } from "./fixtures.ts";

test.use({ role: "admin" });

test("the Ledger shows balances, and the journals of a payment by its transaction ID", async ({
  page,
  seller,
  buyer,
}) => {
  const laptop = await listLaptop(seller);
  const transaction = await payForBooking(buyer, await bookLaptop(buyer, laptop));
  await page.goto("/dashboard/payments");
  const main = page.getByRole("main");
  await main.getByRole("link", { name: "Ledger" }).click();
  await expect(rowOf(page, "Held for buyers")).toContainText(/−\$\d/);
  await main.getByLabel("Search").fill(transaction);
  await main.getByRole("button", { name: "Search" }).click();
  const journal = rowOf(page, transaction);
  await expect(journal).toContainText("Payment");
  await expect(journal).toContainText("At the card provider$640Held for buyers−$640");
  await main.getByRole("link", { name: "Show all" }).click();
  await expect(main.getByRole("heading", { name: "Balances" })).toBeVisible();
});

test("the Ledger shows what differs from the card provider, and what to do", async ({ page }) => {
  const reference = "re_e2e_difference";
  const at = new Date();
  const cents = { provider_cents: 0, ledger_cents: -64_000 };
  await changeDatabase(async (tx) => {
    await tx
      .insertInto("ledger_reconciliation")
      .values({ at, compared_until: 0, provider_cents: 0, ledger_cents: 0 })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await tx
      .insertInto("ledger_differences")
      .values({ reference, ...cents, found_at: at })
      .execute();
  });
  await page.goto("/dashboard/ledger");
  await expect(page.getByRole("alert").filter({ hasText: "differed on" })).toBeVisible();
  const row = rowOf(page, reference);
  await expect(row).toContainText("−$640");
  await expect(row).toContainText("The card provider has not moved this money.");
  await row.getByRole("link", { name: reference }).click();
  await expect(page.getByText(`The ledger has nothing about “${reference}”.`)).toBeVisible();
  await changeDatabase((tx) => tx.deleteFrom("ledger_differences").execute());
});
