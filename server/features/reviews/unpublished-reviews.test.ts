import { expect } from "vitest";
import { reportReview } from "#contract/reviews.ts";
import { deal } from "../../testing/deal.ts";
import { everyAnswer } from "../../testing/every-answer.ts";
import { dealTest } from "../../testing/fixtures.ts";
import { queuedEmails } from "../../testing/inbox.ts";
import { errorOf, member, type Person } from "../../testing/people.ts";
import { takeReviewSteps } from "./publish-reviews.ts";
import { review } from "./testing.ts";

const test = dealTest();

const secret = "a-word-nobody-else-writes";

/** Drops responses that change over time even without a review. */
function lasting(answers: string[]): string[] {
  return answers
    .filter((answer) => !/^\/(healthz|jwt|users\/profile\/data|users\/sessions)/.test(answer))
    .filter((answer) => !answer.startsWith("/adminOverview") && !answer.startsWith("/auditLog"));
}

test("an unpublished review appears only in responses to its author, and in no email", async ({
  shop,
  admin,
}) => {
  const sale = await deal(shop, "handedOver");
  const { seller, buyer } = sale;
  const ids = (id: string, { email }: Person) => [
    ...[seller.id, sale.product, sale.booking, id, email],
  ];
  const stranger = await member(shop);
  const readers = [seller, stranger, admin, undefined];
  const counts = async () => [
    lasting(await everyAnswer(shop, ids(sale.booking, seller), seller)),
    lasting(await everyAnswer(shop, ids(sale.booking, stranger), undefined)),
  ];
  const before = await counts();
  const id = await review(buyer, sale, { stars: 1, text: `Never again: ${secret}` });
  for (const reader of readers) {
    const answers = await everyAnswer(shop, ids(id, reader ?? stranger), reader);
    expect(answers.length).toBeGreaterThan(10);
    expect(answers.filter((answer) => answer.includes(secret))).toEqual([]);
  }
  // No count reveals the review either.
  expect(await counts()).toEqual(before);
  const own = await everyAnswer(shop, ids(id, buyer), buyer);
  const told = own.filter((answer) => answer.includes(secret)).map((one) => one.split(" ")[0]);
  expect(told.toSorted()).toEqual(["/reviews", "/users/profile/data"]);
  // A report by the review's id doesn't reveal that the review exists.
  const report = { params: { id }, body: { comment: "What is it?" } };
  expect((await errorOf(seller.call(reportReview, report))).code).toBe("NOT_FOUND");

  shop.clock.advance(11 * 24 * 60);
  await takeReviewSteps(shop.deps);
  expect(JSON.stringify(await queuedEmails(shop))).not.toContain(secret);
});
