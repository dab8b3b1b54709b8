import { randomUUID } from "node:crypto";
import { describe, expect } from "vitest";
import { listBookings } from "#contract/bookings.ts";
import {
  answerComplaint,
  closeComplaint,
  listComplaints,
  readComplaint,
} from "#contract/complaints.ts";
import { deleteUser } from "#contract/members.ts";
import { readNeedsYou } from "#contract/needs-you.ts";
import { deal } from "../../testing/deal.ts";
import { dealTest } from "../../testing/fixtures.ts";
import { emailsTo } from "../../testing/inbox.ts";
import { errorOf, type Person } from "../../testing/people.ts";
import { connectBank, day, earnedBy, hour, wait } from "../../testing/settlements.ts";
import type { Shop } from "../../testing/shop.ts";

// Allows buyers to spend more credit with one seller than the default limit.
const test = dealTest({ env: { INVITE_CREDIT_PER_SELLER: "1000" } });
const price = 64_000;

/** Inserts rows of photos that the member hasn't sent yet, without files. Returns the ids. */
async function photosOf({ deps: { db, clock } }: Shop, { id: member_id }: Person, count: number) {
  const size = { width: 1, height: 1, bytes: 1, uploaded_at: clock.now() };
  const ids = Array.from({ length: count }, () => randomUUID());
  const rows = ids.map((id) => {
    const name = id.replaceAll("-", "").repeat(2);
    return { ...size, id, member_id, name };
  });
  await db.insertInto("private_photos").values(rows).execute();
  return ids;
}

describe("a complaint", () => {
  test("a complaint stops the payout until the buyer withdraws the complaint, and a second complaint is rejected", async ({
    shop,
  }) => {
    const sale = await deal(shop, "complained", { bank: true });
    expect(await sale.settlement()).toMatchObject({ state: "complaint" });
    expect(await errorOf(sale.complain())).toMatchObject({ status: 409, code: "STALE" });
    const complained = { complaintUntil: null, hasComplaint: true };
    expect(await sale.order()).toMatchObject({ ...complained, hasOpenComplaint: true });
    await wait(shop, 10 * day);
    expect(await sale.transfers()).toEqual([]);
    const asked = await emailsTo(shop, sale.seller, /^The buyer says something is wrong/);
    expect(asked).toHaveLength(1);
    const [confirmed] = await emailsTo(shop, sale.buyer, /^We have your complaint about/);
    expect(confirmed?.text).toContain("the seller has 48 hours to answer");
    const body = { agree: "withdraw", offer: null } as const;
    await sale.buyer.call(closeComplaint, { ...sale.at, body });
    expect(await sale.order()).toMatchObject({ ...complained, hasOpenComplaint: false });
    await wait(shop, 1);
    expect(await sale.money()).toEqual({ transferred: price });
  });

  test("both sides' open pages learn of an admin's decision", async ({ shop, admin }) => {
    const sale = await deal(shop, "complained");
    await shop.deps.db.deleteFrom("public_changes").execute();
    await sale.decide(admin, 100);
    const changes = await shop.deps.db.selectFrom("public_changes").select("tags").execute();
    const reported = changes.flatMap(({ tags }) => tags);
    const both = [sale.buyer, sale.seller].map(({ id }) => `deals:${id}`);
    expect(reported).toEqual(expect.arrayContaining(both));
  });

  test("the order shows the complaint deadline for 72 hours after the handover, and complaints before the handover or after the deadline are rejected", async ({
    shop,
  }) => {
    const sale = await deal(shop, "paid");
    const order = async () => {
      const [found] = await sale.buyer.call(listBookings, { params: { email: sale.buyer.email } });
      return { until: found?.complaintUntil, hasComplaint: found?.hasComplaint };
    };
    expect(await errorOf(sale.complain())).toMatchObject({ code: "STALE" });
    await sale.handOver();
    const { handed_over_at: since } = await sale.settlement();
    const until = new Date(Number(since) + 72 * hour * 60_000).toISOString();
    expect(await order()).toEqual({ until, hasComplaint: false });
    shop.clock.advance(72 * hour - 1);
    expect(await order()).toEqual({ until, hasComplaint: false });
    shop.clock.advance(1);
    expect(await order()).toEqual({ until: null, hasComplaint: false });
    expect(await errorOf(sale.complain())).toMatchObject({ code: "STALE" });
  });

  test("accepting the seller's offer gives the buyer the offered amount and the seller the rest", async ({
    shop,
  }) => {
    const sale = await deal(shop, "complained", { bank: true });
    const { seller } = sale;
    const offer = { answer: "offer" as const, words: "For the keyboard.", offer: 100 };
    const all = seller.call(answerComplaint, { ...sale.at, body: { ...offer, offer: 640 } });
    expect(await errorOf(all)).toMatchObject({ code: "INVALID_INPUT" });
    const nothing = seller.call(answerComplaint, { ...sale.at, body: { ...offer, offer: 0 } });
    expect(await errorOf(nothing)).toMatchObject({
      status: 400,
      fields: { offer: "Offer can't be less than $0.01." },
    });
    await seller.call(answerComplaint, { ...sale.at, body: offer });
    expect(await sale.buyer.call(readComplaint, sale.at)).toMatchObject({
      answer: { answer: "offer", offer: 100 },
      decision: null,
    });
    const [four, others] = [await photosOf(shop, seller, 4), await photosOf(shop, seller, 3)];
    const withPhotos = (photos: string[]) =>
      seller.call(answerComplaint, { ...sale.at, body: { ...offer, offer: 1, photos } });
    await withPhotos(four);
    expect(await errorOf(withPhotos(others))).toMatchObject({ code: "TOO_MANY_PHOTOS" });
    await withPhotos(others.slice(1));
    const accept = (price: number) =>
      sale.buyer.call(closeComplaint, { ...sale.at, body: { agree: "offer", offer: price } });
    expect(await errorOf(accept(100))).toMatchObject({ code: "STALE" });
    await seller.call(answerComplaint, { ...sale.at, body: offer });
    const earned = await earnedBy(seller);
    await accept(100);
    await sale.finishRefund();
    expect(await earnedBy(seller)).toBe(earned - 100);
    await wait(shop, 1);
    expect(await sale.settlement()).toMatchObject({ state: "released" });
    expect(await sale.money()).toEqual({ refunded: 10_000, transferred: 54_000 });
    expect(await sale.refundsAtProvider()).toMatchObject([{ amount: 10_000 }]);
    const again = sale.buyer.call(closeComplaint, {
      ...sale.at,
      body: { agree: "withdraw", offer: null },
    });
    expect(await errorOf(again)).toMatchObject({ code: "STALE" });
  });

  test("an admin can decide a complaint with a partial refund, and the seller is asked where to send the rest", async ({
    shop,
    admin,
  }) => {
    const sale = await deal(shop, "complained");
    const body = { answer: "disagree" as const, words: "It worked when I sold it." };
    const disagree = () => sale.seller.call(answerComplaint, { ...sale.at, body });
    await disagree();
    expect(await errorOf(disagree())).toMatchObject({ code: "STALE" });
    const [asked] = (await emailsTo(shop, admin)).slice(-1);
    expect(asked?.subject).toBe("A complaint needs your decision");
    expect(await admin.call(listComplaints, {})).toContainEqual(
      expect.objectContaining({ _id: sale.booking, price: 640 }),
    );
    expect(await errorOf(sale.decide(admin, 641))).toMatchObject({ code: "INVALID_INPUT" });
    await sale.decide(admin, 100.5);
    const remove = admin.call(deleteUser, { params: { id: sale.seller.id } });
    expect(await errorOf(remove)).toMatchObject({ status: 409, code: "IN_USE" });
    await sale.finishRefund();
    const question = /^Where should we send your \$539\.50\?$/;
    expect(await emailsTo(shop, sale.seller, question)).toHaveLength(1);
    await connectBank(sale.cards, sale.seller);
    await wait(shop, 1);
    expect(await sale.money()).toEqual({ refunded: 10_050, transferred: 53_950 });
    expect(await sale.seller.call(readComplaint, sale.at)).toMatchObject({
      decision: { refund: 100.5, byAdmin: true },
    });
  });
});

test("an admin can return unclaimed money to the buyer as the credit it was paid with, and both sides are emailed", async ({
  shop,
  admin,
}) => {
  const sale = await deal(shop, "complained", { credit: 600 });
  const { seller, buyer } = sale;
  await sale.decide(admin, 40);
  await wait(shop, 2, 365 * day);
  await sale.sendLeftover(admin, "buyer", 600, "Nobody claimed it.");
  expect(await sale.money()).toEqual({ refunded: 4_000 });
  expect(await earnedBy(seller)).toBe(0);
  const [toBuyer] = await emailsTo(shop, buyer, /goes back/);
  expect(toBuyer?.text).toContain("The $600 of credit that you used is yours to spend");
  const toSeller = await emailsTo(shop, seller, /^\$600 for your .* went back to the buyer$/);
  expect(toSeller).toHaveLength(1);
});

const reminder = /^Answer the complaint/;
const toDecide = /^A complaint needs your decision$/;

async function told(shop: Shop, admin: Person, [subject, booking]: [RegExp, string]) {
  return (await emailsTo(shop, admin, subject)).filter(({ text }) => text.includes(booking)).length;
}

test("the seller is reminded 24 hours before an unanswered complaint goes to the admins", async ({
  shop,
  admin,
}) => {
  const sale = await deal(shop, "complained");
  await wait(shop, 24 * hour - 1);
  expect(await emailsTo(shop, sale.seller, reminder)).toHaveLength(0);
  await wait(shop, 1, 1);
  expect(await emailsTo(shop, sale.seller, reminder)).toHaveLength(1);
  await wait(shop, 24 * hour - 2);
  expect(await told(shop, admin, [toDecide, sale.booking])).toBe(0);
  const { openedAt, adminsDecide } = await sale.buyer.call(readComplaint, sale.at);
  expect(adminsDecide).toBe(false);
  await wait(shop, 1, 1);
  expect(await told(shop, admin, [toDecide, sale.booking])).toBe(1);
  for (const one of [sale.buyer, sale.seller])
    expect(await emailsTo(shop, one, /^We're looking into/)).toHaveLength(1);
  const days = (iso: string) => (Date.parse(iso) - Date.parse(openedAt)) / (day * 60_000);
  const now = await sale.seller.call(readComplaint, sale.at);
  expect(now.adminsDecide).toBe(true);
  expect([now.answerBy, now.decideBy, now.refundAt].map(days)).toEqual([2, 9, 21]);
  await wait(shop, 7 * day, 1);
  expect(await told(shop, admin, [/^A complaint is overdue$/, sale.booking])).toBe(1);
  const texts = (await emailsTo(shop, admin)).map(({ text }) => text);
  expect(texts).toContainEqual(expect.stringContaining("for more than 7 days"));
});

test.for([
  { decision: "a dispute for the shop", state: "won", movements: [-price, price] },
  { decision: "a partial dispute for the buyer", state: "lost", movements: [-10_000] },
] as const)(
  "after the bank decides $decision, admins get a new reminder, and another 21 days pass before the buyer wins the complaint",
  async ({ state, movements: [taken, ...returned] }, { shop, admin }) => {
    const sale = await deal(shop, "complained");
    const reminders = () => told(shop, admin, [/^A complaint is overdue$/, sale.booking]);
    await wait(shop, 2 * day);
    await wait(shop, 8 * day);
    expect(await reminders()).toBe(1);
    const read = () => sale.buyer.call(readComplaint, sale.at);
    const needsYou = async () =>
      (await admin.call(readNeedsYou, {})).items.find(
        ({ bookingId, reason }) => bookingId === sale.booking && reason === "complaint",
      );
    await sale.reportDispute({ state: "open", movements: [taken] });
    await wait(shop, 60 * day);
    expect(await read()).toMatchObject({ waitsForBank: true });
    expect(await needsYou()).toBeUndefined();
    expect(await errorOf(sale.decide(admin, 0))).toMatchObject({ code: "STALE" });
    const body = { agree: "withdraw", offer: null } as const;
    const withdraw = sale.buyer.call(closeComplaint, { ...sale.at, body });
    const message = expect.stringMatching(
      /their bank decides about the money\. Wait for its decision/,
    );
    expect(await errorOf(withdraw)).toMatchObject({ code: "STALE", message });
    await sale.reportDispute({ state, movements: [taken, ...returned] });
    const inDays = (days: number) =>
      new Date(shop.clock.now().getTime() + days * day * 60_000).toISOString();
    const [decideBy, refundAt] = [inDays(7), inDays(21)];
    expect(await read()).toMatchObject({ waitsForBank: false, decideBy, refundAt });
    expect(await needsYou()).toMatchObject({ deadline: refundAt });
    await wait(shop, 7 * day, 1);
    expect(await reminders()).toBe(2);
    await wait(shop, 14 * day - 2);
    expect((await read()).decision).toBeNull();
    await wait(shop, 1);
    expect((await read()).decision).toMatchObject({ refund: 640, byAdmin: false });
  },
);

test("a complaint goes to the admins if the buyer doesn't accept the seller's offer within 48 hours", async ({
  shop,
  admin,
}) => {
  const sale = await deal(shop, "complained");
  await wait(shop, 40 * hour);
  const body = { answer: "offer" as const, words: "For the keys.", offer: 50 };
  await sale.seller.call(answerComplaint, { ...sale.at, body });
  const { openedAt, answerBy } = await sale.buyer.call(readComplaint, sale.at);
  expect(Date.parse(answerBy) - Date.parse(openedAt)).toBe((40 + 48) * hour * 60_000);
  await wait(shop, 48 * hour - 1);
  expect(await told(shop, admin, [toDecide, sale.booking])).toBe(0);
  await wait(shop, 1);
  expect(await told(shop, admin, [toDecide, sale.booking])).toBe(1);
});
