import { readFile } from "node:fs/promises";
import { expect, type Page } from "@playwright/test";
import { confirmHandover } from "#contract/handover.ts";
import { connectPayoutAccount, refreshPayoutAccount } from "#contract/payouts.ts";
import { enqueue } from "#server/jobs/job-queue.ts";
import { bookLaptop, buyLaptop, cardsOf, listLaptop, payForBooking } from "./accounts.ts";
import { changeDatabase } from "./database.ts";
import { loadUntil, navigateOnClient, rowOf, signIn, test } from "./fixtures.ts";
import { confirmAddresses, openMailbox } from "./mails.ts";

async function endComplaintWindow(booking: string): Promise<void> {
  await changeDatabase(async (tx) => {
    await tx
      .updateTable("settlements")
      .set({ handed_over_at: new Date(0) })
      .where("booking_id", "=", booking)
      .where("decided_at", "is", null)
      .execute();
    await enqueue(tx, "settleDeals", { payload: {} });
  });
}

async function waitForRow(page: Page, name: string, text: RegExp): Promise<void> {
  await loadUntil(
    () => page.reload(),
    (patience) => expect(rowOf(page, name)).toContainText(text, patience),
  );
}

test("a seller without a bank account sees that the money is waiting, connects an account, and is paid", async ({
  page,
  newSeller,
  buyer,
}) => {
  await confirmAddresses([newSeller]);
  const mails = openMailbox({ seller: newSeller });
  const laptop = await listLaptop(newSeller);
  const { product_name: name } = laptop;
  const booking = await bookLaptop(buyer, laptop);
  // Checked before paying, because this email is sent only while the hold is unpaid.
  await mails.expectNew({ seller: ["Your Apple laptop is on hold"] });
  await payForBooking(buyer, booking);
  await signIn(page, newSeller);
  await page.goto("/dashboard/myProducts");
  await page.getByRole("link", { name: "Payouts" }).click();
  await expect(
    page.getByRole("heading", { name: "Tell us where to send your money" }),
  ).toBeVisible();
  await expect(rowOf(page, name)).toContainText("Waiting for the handover.");
  await buyer.call(confirmHandover, { body: { id: booking } });
  await endComplaintWindow(booking);
  await waitForRow(page, name, /Yours. Waiting to be sent./);
  // The page may have read the account just before the job changed the sale.
  await page.reload();
  await expect(page.getByText("$640 is ready for you.")).toBeVisible();
  await mails.expectNew({
    seller: [
      "You sold your Apple laptop",
      "The buyer has your Apple laptop",
      "Where should we send your $640?",
    ],
  });

  await navigateOnClient(page, "/dashboard/myProducts");
  await page.getByRole("link", { name: "Connect a bank to get your $640" }).click();
  await expect(page.getByRole("button", { name: "Connect my bank account" })).toBeVisible();
  const { url } = await newSeller.call(connectPayoutAccount, {});
  await (await cardsOf(newSeller)).onboard(url);
  await newSeller.call(refreshPayoutAccount, {});
  await page.reload();
  await expect(page.getByRole("heading", { name: "Your bank account is connected" })).toBeVisible();
  await endComplaintWindow(booking);
  await waitForRow(page, name, /Sent on [A-Z][a-z]{2} \d+\./);
  await mails.expectNew({ seller: ["Your $640 is on its way"] });

  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: /Download \d{4} statement/ }).click();
  const file = await (await downloading).path();
  const statement = await readFile(file, "utf8");
  expect(statement).toContain(`${name},USD,640.00,0.00,0.00,640.00,640.00,Sent on`);

  await test.step("a seller can download a statement for each year in which they sold a laptop", async () => {
    await expect(page.getByLabel("Year")).toHaveCount(0);
    const { booking: old } = await buyLaptop(buyer, await listLaptop(newSeller));
    await changeDatabase((tx) =>
      tx
        .updateTable("settlements")
        .set({ paid_at: new Date("2023-12-31T23:00:00Z") })
        .where("booking_id", "=", old)
        .execute(),
    );
    await page.reload();
    const year = page.getByLabel("Year");
    const thisYear = String(new Date().getUTCFullYear());
    await expect(year.getByRole("option")).toHaveText([thisYear, "2023"]);
    await year.selectOption("2023");
    const saving = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download 2023 statement" }).click();
    const saved = await saving;
    expect(saved.suggestedFilename()).toBe("sales-2023.csv");
  });
});
