import { expect, type Page } from "@playwright/test";
import { buyLaptop, listLaptop } from "./accounts.ts";
import { expectAccessible } from "./axe-and-keyboard.ts";
import { changeDatabase } from "./database.ts";
import { rowOf, test, toastOf } from "./fixtures.ts";

// The first correction gets a 409, because the difference has changed.
test.use({ role: "admin", expectedErrors: [/status of 409 .*corrections/] });

test("the Ledger shows balances, finds a payment's journals, and explains each difference until an admin corrects it", async ({
  page,
  seller,
  buyer,
}) => {
  const laptop = await listLaptop(seller);
  const { transaction } = await buyLaptop(buyer, laptop);
  await page.goto("/dashboard/payments");
  const main = page.getByRole("main");
  await main.getByRole("link", { name: "Ledger" }).click();
  await expect(main.getByRole("heading", { name: "Last comparison" })).toBeVisible();
  const balances = page.getByRole("table", { name: "Balances" });
  await expect(balances.getByRole("columnheader")).toHaveText(["Account", "Balance"]);
  await expect(rowOf(page, "Held for buyers")).toContainText(/−\$\d/);
  await main.getByLabel("Search").fill(transaction);
  await main.getByRole("button", { name: "Search" }).click();
  const journal = rowOf(page, transaction);
  await expect(journal).toContainText("Payment");
  await expect(journal).toContainText("At the card provider$640Held for buyers−$640");
  await main.getByRole("link", { name: "Show all" }).click();
  await expect(main.getByRole("heading", { name: "Balances" })).toBeVisible();
  await test.step("a difference from the card provider is explained until an admin corrects it with a reason", () =>
    correctDifference(page));
});

async function correctDifference(page: Page): Promise<void> {
  const reference = "adj_e2e_correction";
  const unmoved = "re_e2e_difference";
  const at = new Date();
  const moved = { type: "adjustment", amount_cents: -1_250, fee_cents: 0 };
  await changeDatabase(async (tx) => {
    await tx
      .insertInto("ledger_reconciliation")
      .values({ at, compared_until: 0, provider_cents: 0, ledger_cents: 0 })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await tx
      .insertInto("balance_transactions")
      .values({ id: reference, reference, ...moved })
      .execute();
    // The first difference is outdated: the amount at the provider is now −1250 cents.
    await tx
      .insertInto("ledger_differences")
      .values([
        { reference, provider_cents: -1_000, ledger_cents: 0, found_at: at },
        { reference: unmoved, provider_cents: 0, ledger_cents: -64_000, found_at: at },
      ])
      .execute();
  });
  await page.goto("/dashboard/ledger");
  await expect(page.getByRole("alert").filter({ hasText: "differed on" })).toBeVisible();
  const row = rowOf(page, unmoved);
  await expect(row).toContainText("−$640");
  await expect(row).toContainText("The card provider has not moved this money.");
  await row.getByRole("link", { name: unmoved }).click();
  await expect(page.getByText(`The ledger has nothing about “${unmoved}”.`)).toBeVisible();
  await page.goBack();
  await page.getByRole("button", { name: `Correct ${reference}` }).click();
  const old = page.getByRole("dialog", { name: "Correct the ledger by −$10?" });
  const submit = page.getByRole("dialog").getByRole("button", { name: "Submit" });
  await submit.click();
  await expect(old.getByText("Say why.")).toBeVisible();
  await old.getByLabel("Where the money went").selectOption("Card provider's fees");
  await old.getByLabel("Reason").fill("A fee for a lost card.");
  await expectAccessible(page);
  await submit.click();
  await expect(old.getByText("This difference has changed. Load the page again.")).toBeVisible();
  await changeDatabase((tx) =>
    tx
      .updateTable("ledger_differences")
      .set({ provider_cents: -1_250 })
      .where("reference", "=", reference)
      .execute(),
  );
  await page.reload();
  await page.getByRole("button", { name: `Correct ${reference}` }).click();
  const dialog = page.getByRole("dialog", { name: "Correct the ledger by −$12.50?" });
  await dialog.getByLabel("Where the money went").selectOption("Card provider's fees");
  await dialog.getByLabel("Reason").fill("A fee for a lost card.");
  await submit.click();
  await expect(toastOf(page, "The ledger is corrected.")).toBeVisible();
  await expect(rowOf(page, reference)).toHaveCount(0);
  await page.goto(`/dashboard/ledger?search=${reference}`);
  await expect(rowOf(page, "Corrected by hand")).toContainText(
    "At the card provider−$12.50Card provider's fees$12.50",
  );
  await changeDatabase((tx) =>
    tx.deleteFrom("ledger_differences").where("reference", "=", unmoved).execute(),
  );
}
