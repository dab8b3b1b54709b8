import { describe, expect } from "vitest";
import { listBookings } from "#contract/bookings.ts";
import { answerComplaint, complain, readComplaint } from "#contract/complaints.ts";
import { emailsTo } from "../../testing/booking-emails.ts";
import { dealTest } from "../../testing/fixtures.ts";
import type { Person } from "../../testing/people.ts";
import { day, handOver, hour, settlementOf, wait } from "../../testing/settlements.ts";
import type { Shop } from "../../testing/shop.ts";

const test = dealTest()
  .extend("handedOver", async ({ deal, pay }) => {
    await pay(deal);
    await handOver(deal);
    return deal;
  })
  .extend("complaint", async ({ handedOver }) => {
    const { booking: bookingId, buyer } = handedOver;
    const body = { bookingId, reason: "not_working" as const, words: "Dead keys." };
    await buyer.call(complain, { body });
    return { params: { id: bookingId } };
  });

const subjects = async (shop: Shop, who: Person, about: RegExp) =>
  (await emailsTo(shop, who)).filter(({ subject }) => about.test(subject)).length;
const reminder = /^Answer the complaint/;
const toDecide = "A complaint needs your decision";

/** How many mails with this subject link to the complaint. */
async function told(shop: Shop, admin: Person, [subject, booking]: [string, string]) {
  const mails = await emailsTo(shop, admin);
  return mails.filter((one) => one.subject === subject && one.text.includes(booking)).length;
}

describe("a complaint that the seller does not answer", () => {
  test("is brought to their mind a day before their time is over, once", async ({
    shop,
    seller,
    complaint,
  }) => {
    expect(complaint).toBeDefined();
    await wait(shop, 24 * hour - 1);
    expect(await subjects(shop, seller, reminder)).toBe(0);
    await wait(shop, 1);
    await wait(shop, 1);
    expect(await subjects(shop, seller, reminder)).toBe(1);
  });

  test("is the admins' to decide after 48 hours, who are reminded after 7 days", async ({
    shop,
    seller,
    buyer,
    admin,
    complaint,
  }) => {
    const { id } = complaint.params;
    await wait(shop, 48 * hour - 1);
    expect(await told(shop, admin, [toDecide, id])).toBe(0);
    const { openedAt, adminsDecide } = await buyer.call(readComplaint, complaint);
    expect(adminsDecide).toBe(false);
    await wait(shop, 1);
    await wait(shop, 1);
    expect(await told(shop, admin, [toDecide, id])).toBe(1);
    for (const one of [buyer, seller])
      expect(await subjects(shop, one, /^We're looking into/)).toBe(1);
    const days = (iso: string) => (Date.parse(iso) - Date.parse(openedAt)) / (day * 60_000);
    const now = await seller.call(readComplaint, complaint);
    expect(now.adminsDecide).toBe(true);
    expect([now.answerBy, now.decideBy, now.refundAt].map(days)).toEqual([2, 9, 21]);
    await wait(shop, 7 * day);
    await wait(shop, 1);
    expect(await told(shop, admin, ["A complaint is overdue", id])).toBe(1);
  });
});

test("an offer that the buyer does not accept within 48 hours is the admins' to decide", async ({
  shop,
  seller,
  admin,
  complaint,
}) => {
  await wait(shop, 40 * hour);
  const body = { answer: "offer" as const, words: "For the keys.", offer: 50 };
  await seller.call(answerComplaint, { ...complaint, body });
  const { id } = complaint.params;
  await wait(shop, 48 * hour - 1);
  expect(await told(shop, admin, [toDecide, id])).toBe(0);
  await wait(shop, 1);
  expect(await told(shop, admin, [toDecide, id])).toBe(1);
});

test("an order says until when its buyer can complain, and whether they have", async ({
  shop,
  buyer,
  handedOver,
}) => {
  const order = async () => {
    const [found] = await buyer.call(listBookings, { params: { email: buyer.email } });
    return { until: found?.complaintUntil, hasComplaint: found?.hasComplaint };
  };
  const { since } = await settlementOf(shop, handedOver);
  const until = new Date(since.getTime() + 72 * hour * 60_000).toISOString();
  expect(await order()).toEqual({ until, hasComplaint: false });
  shop.clock.advance(72 * hour - 1);
  expect(await order()).toEqual({ until, hasComplaint: false });
  shop.clock.advance(1);
  expect(await order()).toEqual({ until: null, hasComplaint: false });
});

test("an order with a complaint leads to it instead", async ({ buyer, complaint }) => {
  const [found] = await buyer.call(listBookings, { params: { email: buyer.email } });
  expect(found).toMatchObject({
    _id: complaint.params.id,
    complaintUntil: null,
    hasComplaint: true,
  });
});
