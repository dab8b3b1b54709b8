import { expect } from "vitest";
import { readReviewEmails, setReviewEmails } from "#contract/reviews.ts";
import { deal } from "../../testing/deal.ts";
import { dealTest } from "../../testing/fixtures.ts";
import { queuedEmails } from "../../testing/inbox.ts";
import type { Person } from "../../testing/people.ts";
import type { Shop } from "../../testing/shop.ts";
import { takeReviewSteps } from "./publish-reviews.ts";
import { review } from "./testing.ts";

const test = dealTest();

const days = (count: number) => count * 24 * 60;

async function reviewEmails(shop: Shop, { email }: Person) {
  const emails = await queuedEmails(shop);
  return emails.filter(({ to, text }) => to === email && text.includes("/dashboard/reviews"));
}

async function pass(shop: Shop, minutes: number): Promise<void> {
  shop.clock.advance(minutes);
  await takeReviewSteps(shop.deps);
  await takeReviewSteps(shop.deps);
}

test("a side is asked for a review a day after the handover, reminded once, and emailed when the other side's review is published", async ({
  shop,
}) => {
  const sale = await deal(shop, "handedOver");
  const { seller, buyer } = sale;
  await pass(shop, days(1) - 1);
  expect(await reviewEmails(shop, buyer)).toEqual([]);
  await pass(shop, 1);
  const [asked] = await reviewEmails(shop, buyer);
  expect(asked?.subject).toBe("How was it? Review the seller of ThinkPad X1 Carbon Gen 9");
  expect(asked?.text).toContain("You have 13 days left.");
  expect(asked?.unsubscribeUrl).toContain("token=reviews");
  await review(buyer, sale, { text: "Not in an email" });
  await pass(shop, days(9));
  const subjects = async (member: Person) =>
    (await reviewEmails(shop, member)).map(({ subject }) => subject);
  expect(await subjects(buyer)).toHaveLength(1);
  expect(await subjects(seller)).toEqual([
    "How was it? Review the buyer of ThinkPad X1 Carbon Gen 9",
    "How was it? Review the buyer of ThinkPad X1 Carbon Gen 9",
  ]);
  await pass(shop, days(4));
  expect((await subjects(seller)).at(-1)).toBe("The reviews are in");
  // Nobody has reviewed the buyer.
  expect(await subjects(buyer)).toHaveLength(1);
  expect(JSON.stringify(await queuedEmails(shop))).not.toContain("Not in an email");
});

test("one click stops review emails, and the member can turn them on again", async ({
  shop,
  seller,
  buyer,
}) => {
  await deal(shop, "handedOver", { seller, buyer });
  await pass(shop, days(1));
  const [asked] = await reviewEmails(shop, buyer);
  const click = { method: "POST", body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }) };
  for (const _ of [1, 2])
    expect((await fetch(String(asked?.unsubscribeUrl), click)).status).toBe(200);
  expect(await buyer.call(readReviewEmails, {})).toEqual({ emails: false });
  await pass(shop, days(9));
  expect(await reviewEmails(shop, buyer)).toHaveLength(1);
  await buyer.call(setReviewEmails, { body: { emails: true } });
  await deal(shop, "handedOver", { seller, buyer });
  await pass(shop, days(1));
  expect(await reviewEmails(shop, buyer)).toHaveLength(2);
});
