import { describe, expect } from "vitest";
import { listBookings } from "#contract/bookings.ts";
import { answerComplaint, readComplaint } from "#contract/complaints.ts";
import { emailsTo } from "../../testing/booking-emails.ts";
import { deal } from "../../testing/deal.ts";
import { dealTest } from "../../testing/fixtures.ts";
import type { Person } from "../../testing/people.ts";
import { day, hour, wait } from "../../testing/settlements.ts";
import type { Shop } from "../../testing/shop.ts";

const test = dealTest();

const subjects = async (shop: Shop, who: Person, about: RegExp) =>
  (await emailsTo(shop, who)).filter(({ subject }) => about.test(subject)).length;
const reminder = /^Answer the complaint/;
const toDecide = "A complaint needs your decision";

/** Counts the admin's emails with this subject and a link to the complaint. */
async function told(shop: Shop, admin: Person, [subject, booking]: [string, string]) {
  const mails = await emailsTo(shop, admin);
  return mails.filter((one) => one.subject === subject && one.text.includes(booking)).length;
}

describe("a complaint that the seller does not answer", () => {
  test("the seller is reminded once, 24 hours before the deadline to answer", async ({ shop }) => {
    const sale = await deal(shop, "complained");
    await wait(shop, 24 * hour - 1);
    expect(await subjects(shop, sale.seller, reminder)).toBe(0);
    await wait(shop, 1, 1);
    expect(await subjects(shop, sale.seller, reminder)).toBe(1);
  });

  test("an unanswered complaint goes to the admins after 48 hours, and they are reminded 7 days later", async ({
    shop,
    admin,
  }) => {
    const sale = await deal(shop, "complained");
    await wait(shop, 48 * hour - 1);
    expect(await told(shop, admin, [toDecide, sale.booking])).toBe(0);
    const { openedAt, adminsDecide } = await sale.buyer.call(readComplaint, sale.at);
    expect(adminsDecide).toBe(false);
    await wait(shop, 1, 1);
    expect(await told(shop, admin, [toDecide, sale.booking])).toBe(1);
    for (const one of [sale.buyer, sale.seller])
      expect(await subjects(shop, one, /^We're looking into/)).toBe(1);
    const days = (iso: string) => (Date.parse(iso) - Date.parse(openedAt)) / (day * 60_000);
    const now = await sale.seller.call(readComplaint, sale.at);
    expect(now.adminsDecide).toBe(true);
    expect([now.answerBy, now.decideBy, now.refundAt].map(days)).toEqual([2, 9, 21]);
    await wait(shop, 7 * day, 1);
    expect(await told(shop, admin, ["A complaint is overdue", sale.booking])).toBe(1);
    const texts = (await emailsTo(shop, admin)).map(({ text }) => text);
    expect(texts).toContainEqual(expect.stringContaining("for more than 7 days"));
  });
});

test("a complaint goes to the admins if the buyer doesn't accept the seller's offer within 48 hours", async ({
  shop,
  admin,
}) => {
  const sale = await deal(shop, "complained");
  await wait(shop, 40 * hour);
  const body = { answer: "offer" as const, words: "For the keys.", offer: 50 };
  await sale.seller.call(answerComplaint, { ...sale.at, body });
  await wait(shop, 48 * hour - 1);
  expect(await told(shop, admin, [toDecide, sale.booking])).toBe(0);
  await wait(shop, 1);
  expect(await told(shop, admin, [toDecide, sale.booking])).toBe(1);
});

test("for 72 hours after the handover, an order shows the deadline for a complaint", async ({
  shop,
}) => {
  const sale = await deal(shop, "handedOver");
  const order = async () => {
    const [found] = await sale.buyer.call(listBookings, { params: { email: sale.buyer.email } });
    return { until: found?.complaintUntil, hasComplaint: found?.hasComplaint };
  };
  const { handed_over_at: since } = await sale.settlement();
  const until = new Date(Number(since) + 72 * hour * 60_000).toISOString();
  expect(await order()).toEqual({ until, hasComplaint: false });
  shop.clock.advance(72 * hour - 1);
  expect(await order()).toEqual({ until, hasComplaint: false });
  shop.clock.advance(1);
  expect(await order()).toEqual({ until: null, hasComplaint: false });
});

test("an order with a complaint shows the complaint instead of the deadline", async ({ shop }) => {
  const sale = await deal(shop, "complained");
  const [found] = await sale.buyer.call(listBookings, { params: { email: sale.buyer.email } });
  expect(found).toMatchObject({
    _id: sale.booking,
    complaintUntil: null,
    hasComplaint: true,
  });
});
