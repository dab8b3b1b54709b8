import { expect } from "vitest";
import type { Call } from "#contract/call.ts";
import { reportReview } from "#contract/reviews.ts";
import { table } from "#contract/table.ts";
import { headersOf } from "../../../security/access-matrix/actors.ts";
import { dealTest } from "../../testing/fixtures.ts";
import { queuedEmails } from "../../testing/inbox.ts";
import { createMember, errorOf, type Person } from "../../testing/people.ts";
import type { Shop } from "../../testing/shop.ts";
import { takeReviewSteps } from "./publish-reviews.ts";
import { completeDeal, review } from "./testing.ts";

const test = dealTest();

const secret = "a-word-nobody-else-writes";

type Ids = Record<"seller" | "product" | "booking" | "review" | "email", string>;

/** Every GET call with every id it could be asked with, as this member or a visitor. */
async function everyAnswer(shop: Shop, ids: Ids, member: Person | undefined): Promise<string[]> {
  const answers: string[] = [];
  const headers = member ? await headersOf(member) : {};
  for (const call of Object.values<Call>(table).filter(({ method }) => method === "GET")) {
    const urls = call.path.includes("{id}")
      ? Object.values(ids).map((id) => call.path.replace("{id}", encodeURIComponent(id)))
      : [call.path.replace("{email}", encodeURIComponent(ids.email))];
    for (const url of urls) {
      const answer = await shop.app.inject({ url: `${call.at ? "" : "/api"}${url}`, headers });
      if (answer.statusCode < 300) answers.push(`${url} ${answer.body}`);
    }
  }
  return answers;
}

/** What depends on when it is asked, and so differs without a review. */
function lasting(answers: string[]): string[] {
  return answers
    .filter((answer) => !/^\/(healthz|jwt|users\/profile\/data|users\/sessions)/.test(answer))
    .filter((answer) => !answer.startsWith("/adminOverview") && !answer.startsWith("/auditLog"));
}

test("nothing of an unpublished review is in any answer but its author's, or in an email", async ({
  shop,
  seller,
  buyer,
  admin,
}) => {
  const deal = await completeDeal(shop, seller, buyer);
  const ids = (id: string, { email }: Person): Ids => ({
    ...{ seller: seller.id, product: deal.product, booking: deal.booking, review: id, email },
  });
  const stranger = await createMember(shop);
  const readers = [seller, stranger, admin, undefined];
  const counts = async () => [
    lasting(await everyAnswer(shop, ids(deal.booking, seller), seller)),
    lasting(await everyAnswer(shop, ids(deal.booking, stranger), undefined)),
  ];
  const before = await counts();
  const id = await review(buyer, deal, { stars: 1, text: `Never again: ${secret}` });
  for (const reader of readers) {
    const answers = await everyAnswer(shop, ids(id, reader ?? stranger), reader);
    expect(answers.length).toBeGreaterThan(10);
    expect(answers.filter((answer) => answer.includes(secret))).toEqual([]);
  }
  // No count tells of it either.
  expect(await counts()).toEqual(before);
  const own = await everyAnswer(shop, ids(id, buyer), buyer);
  const told = own.filter((answer) => answer.includes(secret)).map((one) => one.split(" ")[0]);
  expect(told.toSorted()).toEqual(["/reviews", "/users/profile/data"]);
  // Its id tells nothing.
  const report = { params: { id }, body: { comment: "What is it?" } };
  expect((await errorOf(seller.call(reportReview, report))).code).toBe("NOT_FOUND");

  shop.clock.advance(11 * 24 * 60);
  await takeReviewSteps(shop.deps);
  expect(JSON.stringify(await queuedEmails(shop))).not.toContain(secret);
});
