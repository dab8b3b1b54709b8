import { expect } from "@playwright/test";
import { confirmHandover } from "#contract/handover.ts";
import { readProduct } from "#contract/laptops.ts";
import { reportReview, writeReview } from "#contract/reviews.ts";
import { sellerPath } from "#contract/seller-path.ts";
import { paths } from "#web/paths.ts";
import { bookLaptop, type Laptop, listLaptop, type Member, payForBooking } from "./accounts.ts";
import { rowOf, signIn, test, toastOf, waitForHydration } from "./fixtures.ts";

/** A laptop that is paid for and handed over. */
async function completedDeal(seller: Member, buyer: Member) {
  const laptop = await listLaptop(seller);
  const booking = await bookLaptop(buyer, laptop);
  await payForBooking(buyer, booking);
  await buyer.call(confirmHandover, { body: { id: booking } });
  return { laptop, booking };
}

async function sellerOf(buyer: Member, { _id }: Laptop): Promise<string> {
  return (await buyer.call(readProduct, { params: { id: _id } })).seller._id;
}

test("both sides review each other, and then everyone reads it on the seller's page", async ({
  page,
  newSeller,
  buyer,
}) => {
  const { laptop } = await completedDeal(newSeller, buyer);
  const other = await listLaptop(newSeller);
  await signIn(page, buyer);
  await page.goto("/dashboard");
  await rowOf(page, laptop.product_name).getByRole("link", { name: "Write a review" }).click();
  const deal = page.getByRole("article", { name: laptop.product_name });
  await deal.getByRole("button", { name: "Send review" }).click();
  await expect(deal.getByText("Write how it went.")).toBeVisible();
  await deal.getByRole("radio", { name: "4 stars" }).check({ force: true });
  await deal.getByLabel("How was it?").fill("Friendly, and on time. Call 503-555-0199");
  await deal.getByRole("button", { name: "Send review" }).click();
  await expect(toastOf(page, "Thanks for your review.")).toBeVisible();
  await expect(deal).toContainText("Friendly, and on time. Call [removed]");
  await expect(deal).toContainText("Nobody else can read it before");

  await page.goto(paths.laptop(other._id, other.product_name));
  await page.getByRole("region", { name: "Seller" }).getByRole("link").click();
  await expect(page.getByRole("heading", { name: newSeller.name, level: 1 })).toBeVisible();
  await expect(page.getByText("No reviews yet", { exact: true })).toBeVisible();
  await expect(page.getByRole("link", { name: other.product_name })).toBeVisible();

  await page.context().clearCookies();
  await signIn(page, newSeller);
  await page.goto("/dashboard/myProducts");
  await page.getByText("Sold and handed over (1)").click();
  await rowOf(page, laptop.product_name).getByRole("link", { name: "Write a review" }).click();
  const sale = page.getByRole("article", { name: laptop.product_name });
  await expect(sale).not.toContainText("Friendly");
  await sale.getByRole("radio", { name: "5 stars" }).check({ force: true });
  await sale.getByLabel("How was it?").fill("Paid at once.");
  await sale.getByRole("button", { name: "Send review" }).click();
  await expect(sale).toContainText("Friendly, and on time.");
  await sale.getByRole("button", { name: "Reply" }).click();
  await page.getByLabel("Your reply").fill("Enjoy it!");
  await page.getByRole("button", { name: "Submit" }).click();
  await expect(sale).toContainText("Enjoy it!");

  await page.context().clearCookies();
  await page.goto(sellerPath(await sellerOf(buyer, other)));
  await waitForHydration(page);
  await expect(page.getByText("4.0 of 5 stars (1 review)")).toBeVisible();
  await expect(page.getByText("Friendly, and on time. Call [removed]")).toBeVisible();
  await expect(page.getByText("Enjoy it!")).toBeVisible();
});

test("an admin removes a reported review", async ({
  page,
  newSeller,
  buyer,
  demoMembers: { admin },
}) => {
  const { booking } = await completedDeal(newSeller, buyer);
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
