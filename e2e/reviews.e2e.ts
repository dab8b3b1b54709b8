import { expect } from "@playwright/test";
import { confirmHandover } from "#contract/handover.ts";
import { reportReview, writeReview } from "#contract/reviews.ts";
import { paths } from "#web/paths.ts";
import { bookLaptop, listLaptop, type Member, payForBooking } from "./accounts.ts";
import { signIn, test } from "./fixtures.ts";

/** Returns the booking's ID. */
async function completeDeal(seller: Member, buyer: Member): Promise<string> {
  const booking = await bookLaptop(buyer, await listLaptop(seller));
  await payForBooking(buyer, booking);
  await buyer.call(confirmHandover, { body: { id: booking } });
  return booking;
}

test("an admin removes a reported review", async ({
  page,
  newSeller,
  buyer,
  demoMembers: { admin },
}) => {
  const booking = await completeDeal(newSeller, buyer);
  const write = (member: Member, text: string) =>
    member.call(writeReview, { body: { booking, stars: 1, text } });
  const text = "The laptop was broken, and that is a lie.";
  const { insertedId: id } = await write(buyer, text);
  await write(newSeller, "Never came.");
  const comment = `Not true, says ${newSeller.email.slice(0, 14)}`;
  await newSeller.call(reportReview, { params: { id }, body: { comment } });
  await signIn(page, admin);
  await page.goto(paths.reviews());
  const report = page.getByRole("article").filter({ hasText: comment });
  await expect(report).toContainText(text);
  await report.getByRole("button", { name: "Remove review" }).click();
  await page.getByLabel("Reason").fill("It says nothing about the deal.");
  await page.getByRole("button", { name: "Submit" }).click();
  await expect(report).toHaveCount(0);
});
