import { expect } from "@playwright/test";
import { answerComplaint, complain } from "#contract/complaints.ts";
import { confirmHandover } from "#contract/handover.ts";
import { enqueue } from "#server/db/job-queue.ts";
import { bookLaptop, type Laptop, listLaptop, type Member, payForBooking } from "./accounts.ts";
import { axeViolations } from "./axe.ts";
import { changeDatabase } from "./database.ts";
import { rowOf, test, toastOf } from "./fixtures.ts";
import { confirmAddresses } from "./mails.ts";

// The reason is missing at first.
test.use({ role: "admin", expectedErrors: [/status of 400 .*leftover/] });

/** The booking of a laptop that its buyer has paid for and received. */
async function handOver(buyer: Member, laptop: Laptop): Promise<string> {
  const booking = await bookLaptop(buyer, laptop);
  await payForBooking(buyer, booking);
  await buyer.call(confirmHandover, { body: { id: booking } });
  return booking;
}

test("Needs you lists money and deals that wait for an admin, and leads to where they decide", async ({
  page,
  newSeller,
  buyer,
}) => {
  await confirmAddresses([newSeller, buyer]);
  const [unclaimed, disagreed] = [await listLaptop(newSeller), await listLaptop(newSeller)];
  const old = await handOver(buyer, unclaimed);
  const complained = await handOver(buyer, disagreed);
  const body = { bookingId: complained, reason: "not_working", words: "Dead keys." } as const;
  await buyer.call(complain, { body });
  const answer = { answer: "disagree", words: "It works." } as const;
  await newSeller.call(answerComplaint, { params: { id: complained }, body: answer });
  await changeDatabase(async (tx) => {
    const long = { handed_over_at: new Date(0), paid_at: new Date(0) };
    await tx.updateTable("settlements").set(long).where("booking_id", "=", old).execute();
    await enqueue(tx, "settleDeals", { payload: {} });
  });

  const row = rowOf(page, unclaimed.product_name);
  await expect(async () => {
    await page.goto("/dashboard/needsYou");
    await expect(row).toContainText("waits for a seller who can't receive it", { timeout: 2_000 });
  }).toPass();
  const menu = page.getByRole("navigation", { name: "Dashboard" });
  await expect(menu.getByRole("link", { name: /^Needs you ?, \d+$/ })).toBeVisible();
  const violations = await axeViolations(page);
  expect(violations).toEqual({});
  await page.goto("/dashboard/overview");
  await page.getByRole("link", { name: /^\d+ things need you$/ }).click();

  await expect(rowOf(page, disagreed.product_name)).toContainText("Buyer and seller don't agree");
  await rowOf(page, disagreed.product_name)
    .getByRole("link", { name: /^Decide/ })
    .click();
  await expect(page).toHaveURL(`/dashboard/complaint/${complained}`);
  await page.goBack();

  await row.getByRole("link", { name: /^Decide/ }).click();
  await page.getByRole("button", { name: "Refund $640 to the buyer" }).click();
  const dialog = page.getByRole("dialog", { name: "Refund $640 to the buyer?" });
  await dialog.getByRole("button", { name: "Submit" }).click();
  await expect(dialog.getByText("Say why the seller doesn't get it")).toBeVisible();
  await dialog.getByLabel("Reason").fill("You haven't connected a bank account.");
  await dialog.getByRole("button", { name: "Submit" }).click();
  await expect(toastOf(page, "It's on its way to the buyer.")).toBeVisible();
  await page.goto("/dashboard/needsYou");
  await expect(rowOf(page, disagreed.product_name)).toBeVisible();
  await expect(row).toHaveCount(0);
});
