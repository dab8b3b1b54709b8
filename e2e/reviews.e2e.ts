import { expect } from "@playwright/test";
import { reportReview, writeReview } from "#contract/reviews.ts";
import { paths } from "#web/paths.ts";
import { listLaptop, type Member, receiveLaptop } from "./accounts.ts";
import { signIn, test } from "./fixtures.ts";

test("an admin removes a reported review", async ({
  page,
  newSeller,
  buyer,
  demoMembers: { admin },
}) => {
  const { booking } = await receiveLaptop(buyer, await listLaptop(newSeller));
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
