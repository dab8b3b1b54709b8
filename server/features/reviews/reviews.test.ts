import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { readOwnData } from "#contract/account.ts";
import { listAuditLog } from "#contract/audit.ts";
import { listBookings } from "#contract/bookings.ts";
import { listCategoryProducts } from "#contract/categories.ts";
import { readProduct } from "#contract/laptop-page.ts";
import { deleteUser, updateProfile } from "#contract/members.ts";
import { listSellerProducts } from "#contract/products.ts";
import {
  closeReviewReport,
  listReviewedDeals,
  listReviewReports,
  listSellerReviews,
  readReviewEmails,
  removeReview,
  replyToReview,
  reportReview,
  setReviewEmails,
} from "#contract/reviews.ts";
import { readSeller } from "#contract/sellers.ts";
import { deal } from "../../testing/deal.ts";
import { everyAnswer } from "../../testing/every-answer.ts";
import { dealTest } from "../../testing/fixtures.ts";
import { queuedEmails } from "../../testing/inbox.ts";
import { insertPhoto } from "../../testing/insert-laptop.ts";
import { listing } from "../../testing/marketplace.ts";
import { createVisitor, errorOf, member, type Person } from "../../testing/people.ts";
import { day } from "../../testing/settlements.ts";
import type { Shop } from "../../testing/shop.ts";
import { takeReviewSteps } from "./publish-reviews.ts";
import { ratingOf } from "./rating.ts";
import { review } from "./testing.ts";

const test = dealTest();

const of = ({ id }: Person) => ({ params: { id } });
const reviewsOf = async (shop: Shop, seller: Person) =>
  await createVisitor(shop).call(listSellerReviews, of(seller));
const newestDeal = async (someone: Person) => (await someone.call(listReviewedDeals, {}))[0];

test("both reviews of a deal are published when the second is written, and the buyer's counts toward the seller's rating", async ({
  shop,
}) => {
  const sale = await deal(shop, "handedOver");
  const { seller, buyer } = sale;
  const img = await insertPhoto(shop, seller);
  const id = await listing(seller, { img, facts: { battery_health: 91 } });
  const visitor = createVisitor(shop);
  const card = async () => {
    const { product_categoryId } = (await visitor.send(readProduct, { params: { id } })).body;
    const listed = { params: { id: product_categoryId } };
    return (await visitor.call(listCategoryProducts, listed)).find(({ _id }) => _id === id);
  };
  expect(await card()).toMatchObject({ batteryHealth: 91, sellerRating: null });
  await review(buyer, sale, { stars: 2, text: "Late. Call me: 503-555-0199" });
  expect(await newestDeal(buyer)).toMatchObject({
    _id: sale.booking,
    role: "buyer",
    published: false,
    mine: { stars: 2, text: "Late. Call me: [removed]" },
    theirs: null,
  });
  expect(await reviewsOf(shop, seller)).toEqual([]);
  await review(seller, sale, { stars: 5, text: "Paid at once." });
  expect(await newestDeal(seller)).toMatchObject({
    published: true,
    mine: { stars: 5 },
    theirs: { stars: 2, text: "Late. Call me: [removed]" },
  });
  const [published] = await reviewsOf(shop, seller);
  expect(published).toMatchObject({ role: "buyer", stars: 2, reply: null });
  const { rating } = await visitor.call(readSeller, of(seller));
  expect(rating).toEqual({ stars: 2, reviews: 1 });
  // A new rating refreshes the cached list.
  await expect.poll(card).toMatchObject({ sellerRating: rating });
  const { body } = await visitor.send(readProduct, { params: { id } });
  expect(body).toMatchObject({ sellerRating: rating });
});

test("a rating is the mean number of stars, rounded to one decimal, or null without reviews", () => {
  expect(ratingOf({ reviews: 0, sum: 0 })).toBeNull();
  expect(ratingOf({ reviews: 1, sum: 5 })).toEqual({ stars: 5, reviews: 1 });
  expect(ratingOf({ reviews: 3, sum: 13 })).toEqual({ stars: 4.3, reviews: 3 });
  expect(ratingOf({ reviews: 95, sum: 475 })).toEqual({ stars: 5, reviews: 95 });
});

test("a member can review a deal once, after the handover and within 14 days", async ({ shop }) => {
  const open = await deal(shop, "held");
  const { seller, buyer } = open;
  expect((await errorOf(review(buyer, open))).code).toBe("NOT_FOUND");
  const sale = await deal(shop, "handedOver", { seller, buyer });
  expect((await errorOf(review(await member(shop), sale))).code).toBe("NOT_FOUND");
  const both = await Promise.allSettled([review(buyer, sale), review(buyer, sale)]);
  expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  expect((await errorOf(review(buyer, sale))).code).toBe("ALREADY_REVIEWED");
  shop.clock.advance(14 * day);
  // The window closes on time, even if the job hasn't published the other review yet.
  expect((await errorOf(review(seller, sale))).code).toBe("REVIEWS_CLOSED");
  await takeReviewSteps(shop.deps);
  expect((await errorOf(review(seller, sale))).code).toBe("REVIEWS_CLOSED");
  expect((await errorOf(review(buyer, sale))).code).toBe("ALREADY_REVIEWED");
});

test("a deal's only review is published once, after 14 days, even if the other side tries to review at the deadline", async ({
  shop,
}) => {
  const sale = await deal(shop, "handedOver");
  const { seller, buyer } = sale;
  await review(buyer, sale, { stars: 4 });
  shop.clock.advance(14 * day - 1);
  await takeReviewSteps(shop.deps);
  expect(await reviewsOf(shop, seller)).toEqual([]);
  shop.clock.advance(1);
  await Promise.allSettled([
    takeReviewSteps(shop.deps),
    review(seller, sale),
    takeReviewSteps(shop.deps),
  ]);
  await takeReviewSteps(shop.deps);
  expect(await newestDeal(seller)).toMatchObject({ published: true, mine: null });
  await expect.poll(() => reviewsOf(shop, seller)).toMatchObject([{ stars: 4 }]);
  const published = await shop.deps.db
    .selectFrom("audit_log")
    .innerJoin("reviews", "reviews.id", "audit_log.object_id")
    .select("audit_log.id")
    .where("reviews.booking_id", "=", sale.booking)
    .where("verb", "=", "publish")
    .execute();
  expect(published).toHaveLength(1);
});

test("the reviewed side can reply once, phone numbers are removed from the reply, and the database rejects early publication and later changes", async ({
  shop,
}) => {
  const sale = await deal(shop, "handedOver");
  const { seller, buyer } = sale;
  const id = await review(buyer, sale);
  const change = (what: string) =>
    shop.pool.query(`update reviews set ${what} where id = $1`, [id]);
  const reply = (someone: Person) =>
    someone.call(replyToReview, { params: { id }, body: { text: "Call 503-555-0199" } });
  await expect(change("published_at = now()")).rejects.toThrow("published together");
  expect((await errorOf(reply(seller))).code).toBe("NOT_FOUND");
  await review(seller, sale);
  expect((await errorOf(reply(buyer))).code).toBe("NOT_FOUND");
  await reply(seller);
  expect((await errorOf(reply(seller))).code).toBe("STALE");
  expect(await reviewsOf(shop, seller)).toMatchObject([{ reply: "Call [removed]" }]);
  for (const what of [
    "text = ''",
    "stars = 1",
    "published_at = null",
    "reply = 'Other'",
    "author_id = subject_id",
  ])
    await expect(change(what)).rejects.toThrow(/not changed once|violates check/);
});

test("closing a report keeps the review, and removing the review hides it and takes it out of the rating", async ({
  shop,
  admin,
}) => {
  const sale = await deal(shop, "handedOver");
  const { seller, buyer } = sale;
  const id = await review(buyer, sale, { text: "An insult" });
  const report = () =>
    seller.call(reportReview, { params: { id }, body: { comment: "An insult to me" } });
  // Reporting an unpublished review fails as if the review didn't exist.
  expect((await errorOf(report())).code).toBe("NOT_FOUND");
  await review(seller, sale);
  await buyer.call(reportReview, { params: { id }, body: { comment: "I was wrong." } });
  const [closed] = await admin.call(listReviewReports, {});
  await admin.call(closeReviewReport, { params: { id: String(closed?._id) } });
  expect(await reviewsOf(shop, seller)).toHaveLength(1);
  await report();
  expect((await errorOf(report())).code).toBe("ALREADY_REPORTED");
  const [open] = await admin.call(listReviewReports, {});
  expect(open).toMatchObject({
    comment: "An insult to me",
    author: { email: buyer.email },
    subject: { email: seller.email },
    review: { _id: id, text: "An insult" },
  });
  const { reviewReports } = await seller.call(readOwnData, {});
  expect(reviewReports).toMatchObject([{ comment: "An insult to me" }]);
  await admin.call(removeReview, { params: { id }, body: { reason: "Insults." } });
  expect(await admin.call(listReviewReports, {})).toEqual([]);
  expect(await reviewsOf(shop, seller)).toEqual([]);
  expect((await createVisitor(shop).call(readSeller, of(seller))).rating).toBeNull();
  expect((await newestDeal(seller))?.theirs).toMatchObject({ removed: true, text: "" });
  const [audit] = await admin.call(listAuditLog, { query: { object: "review", objectId: id } });
  expect(audit).toMatchObject({ verb: "remove", detail: { reason: "Insults." } });
  const again = admin.call(removeReview, { params: { id }, body: { reason: "Insults." } });
  expect((await errorOf(again)).code).toBe("NOT_FOUND");
});

test("two reviews written at the same time are both published, and a deleted member's review stays, without the name", async ({
  shop,
  seller,
  buyer,
  admin,
}) => {
  await buyer.call(updateProfile, { body: { name: "Maria de la Cruz" } });
  const sale = await deal(shop, "handedOver", { seller, buyer });
  await Promise.all([review(buyer, sale), review(seller, sale)]);
  for (const side of [seller, buyer])
    expect(await newestDeal(side)).toMatchObject({ published: true, theirs: { stars: 5 } });
  expect(await reviewsOf(shop, seller)).toMatchObject([{ author: "Maria C." }]);
  await admin.call(deleteUser, of(buyer));
  await expect
    .poll(async () => await reviewsOf(shop, seller))
    .toMatchObject([{ author: "Former member", stars: 5 }]);
  expect(JSON.stringify(await reviewsOf(shop, seller))).not.toMatch(/Maria|Cruz/);
});

async function mayReview({ buyer, seller }: Record<"buyer" | "seller", Person>) {
  const [order] = await buyer.call(listBookings, { params: { email: buyer.email } });
  const [listed] = await seller.call(listSellerProducts, { params: { email: seller.email } });
  return [order?.mayReview, listed?.deal?.mayReview];
}

test("orders and listings offer a review for 14 days, even if the job hasn't published the reviews yet", async ({
  shop,
}) => {
  const sale = await deal(shop, "handedOver");
  shop.clock.advance(14 * day - 1);
  expect(await mayReview(sale)).toEqual([true, true]);
  shop.clock.advance(1);
  expect(await mayReview(sale)).toEqual([false, false]);
});

test("orders and listings show whether the member can review, and listings show the buyer's rating", async ({
  shop,
  seller,
  buyer,
}) => {
  const sale = await deal(shop, "handedOver", { seller, buyer });
  expect(await mayReview(sale)).toEqual([true, true]);
  await review(seller, sale, { stars: 3 });
  expect(await mayReview(sale)).toEqual([true, false]);
  await review(buyer, sale);
  expect(await mayReview(sale)).toEqual([false, false]);
  const [listed] = await seller.call(listSellerProducts, { params: { email: seller.email } });
  expect(listed?.deal?.buyerRating).toEqual({ stars: 3, reviews: 1 });
});

async function reviewEmails(shop: Shop, { email }: Person) {
  const emails = await queuedEmails(shop);
  return emails.filter(({ to, text }) => to === email && text.includes("/dashboard/reviews"));
}

async function pass(shop: Shop, minutes: number): Promise<void> {
  shop.clock.advance(minutes);
  await takeReviewSteps(shop.deps);
  await takeReviewSteps(shop.deps);
}

test("each side is asked for a review a day after the handover, and reminded once if the review is still missing", async ({
  shop,
}) => {
  const sale = await deal(shop, "handedOver");
  const { seller, buyer } = sale;
  await pass(shop, day - 1);
  expect(await reviewEmails(shop, buyer)).toEqual([]);
  await pass(shop, 1);
  const [asked] = await reviewEmails(shop, buyer);
  expect(asked?.subject).toBe("How was it? Review the seller of ThinkPad X1 Carbon Gen 9");
  expect(asked?.text).toContain("You have 13 days left.");
  expect(asked?.unsubscribeUrl).toContain("token=reviews");
  await review(buyer, sale, { text: "Not in an email" });
  await pass(shop, 9 * day);
  const subjects = async (member: Person) =>
    (await reviewEmails(shop, member)).map(({ subject }) => subject);
  expect(await subjects(buyer)).toHaveLength(1);
  expect(await subjects(seller)).toEqual([
    "How was it? Review the buyer of ThinkPad X1 Carbon Gen 9",
    "How was it? Review the buyer of ThinkPad X1 Carbon Gen 9",
  ]);
  await pass(shop, 4 * day);
  expect((await subjects(seller)).at(-1)).toBe("The reviews are in");
  // The buyer gets no email about published reviews, because the seller wrote none.
  expect(await subjects(buyer)).toHaveLength(1);
  expect(JSON.stringify(await queuedEmails(shop))).not.toContain("Not in an email");
});

test("one click stops review emails, and the member can turn them on again", async ({
  shop,
  seller,
  buyer,
}) => {
  await deal(shop, "handedOver", { seller, buyer });
  await pass(shop, day);
  const [asked] = await reviewEmails(shop, buyer);
  const click = { method: "POST", body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }) };
  for (const _ of [1, 2])
    expect((await fetch(String(asked?.unsubscribeUrl), click)).status).toBe(200);
  expect(await buyer.call(readReviewEmails, {})).toEqual({ emails: false });
  await pass(shop, 9 * day);
  expect(await reviewEmails(shop, buyer)).toHaveLength(1);
  await buyer.call(setReviewEmails, { body: { emails: true } });
  await deal(shop, "handedOver", { seller, buyer });
  await pass(shop, day);
  expect(await reviewEmails(shop, buyer)).toHaveLength(2);
});

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
  const stranger = await member(shop);
  const ids = (id: string, { email }: Person) => [seller.id, sale.product, sale.booking, id, email];
  const answersFor = (id: string, reader: Person | undefined) =>
    everyAnswer(shop, ids(id, reader ?? stranger), reader);
  const unknownId = randomUUID();
  const before = new Map([
    [seller, await answersFor(unknownId, seller)],
    [undefined, await answersFor(unknownId, undefined)],
  ]);
  const id = await review(buyer, sale, { stars: 1, text: `Never again: ${secret}` });
  for (const reader of [seller, stranger, admin, undefined]) {
    const answers = await answersFor(id, reader);
    expect(answers.length).toBeGreaterThan(10);
    expect(answers.filter((answer) => answer.includes(secret))).toEqual([]);
    // Counts don't reveal the review either, and its id gets the same responses as an unknown id.
    const earlier = before.get(reader);
    const now = answers.map((answer) => answer.replaceAll(id, unknownId));
    if (earlier) expect(lasting(now)).toEqual(lasting(earlier));
  }
  const own = await answersFor(id, buyer);
  const told = own.filter((answer) => answer.includes(secret)).map((one) => one.split(" ")[0]);
  expect(told.toSorted()).toEqual(["/reviews", "/users/profile/data"]);
  // A report by the review's id doesn't reveal that the review exists.
  const report = { params: { id }, body: { comment: "What is it?" } };
  expect((await errorOf(seller.call(reportReview, report))).code).toBe("NOT_FOUND");

  shop.clock.advance(11 * day);
  await takeReviewSteps(shop.deps);
  expect(JSON.stringify(await queuedEmails(shop))).not.toContain(secret);
});
