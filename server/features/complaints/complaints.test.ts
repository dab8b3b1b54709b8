import { randomUUID } from "node:crypto";
import { describe, expect } from "vitest";
import {
  answerComplaint,
  closeComplaint,
  complain,
  decideComplaint,
  listComplaints,
  readComplaint,
} from "#contract/complaints.ts";
import { deleteUser } from "#contract/members.ts";
import { emailsTo } from "../../testing/booking-emails.ts";
import type { CardProvider } from "../../testing/cards.ts";
import { give } from "../../testing/credits.ts";
import { paymentsFor, readOrder } from "../../testing/deals.ts";
import { dealTest } from "../../testing/fixtures.ts";
import { type Deal, listLaptop, openDeal, payForDeal } from "../../testing/marketplace.ts";
import { errorOf, type Person } from "../../testing/people.ts";
import {
  connectBank,
  day,
  earnedBy,
  handOver,
  hour,
  moneyOf,
  settlementOf,
  transfersOf,
  wait,
} from "../../testing/settlements.ts";
import type { Shop } from "../../testing/shop.ts";
import { refundPayment } from "../booking-lifecycle/refunds.ts";

// One seller may get more credit than a shop allows by default.
const test = dealTest({ env: { INVITE_CREDIT_PER_SELLER: "1000" } })
  /** A deal that is handed over, of a seller with an account, about which the buyer complains. */
  .extend("complaint", async ({ cards, seller, deal, pay }) => {
    await connectBank(cards, seller);
    await pay(deal);
    await handOver(deal);
    await complainAbout(deal);
    return deal;
  });
const price = 64_000;

/** Ids of photos that a member has uploaded. */
async function photosOf({ deps: { db, clock } }: Shop, { email }: Person, count: number) {
  const { id: member_id } = await db
    .selectFrom("members")
    .select("id")
    .where("email", "=", email)
    .executeTakeFirstOrThrow();
  const size = { width: 1, height: 1, bytes: 1, uploaded_at: clock.now() };
  const ids = Array.from({ length: count }, () => randomUUID());
  const rows = ids.map((id) => ({
    ...size,
    id,
    member_id,
    name: id.replaceAll("-", "").repeat(2),
  }));
  await db.insertInto("private_photos").values(rows).execute();
  return ids;
}

async function complainAbout({ booking, buyer }: Deal<Person>) {
  const body = {
    bookingId: booking,
    reason: "not_working" as const,
    words: "The keyboard has dead keys.",
  };
  return await buyer.call(complain, { body });
}

const at = ({ booking }: Deal) => ({ params: { id: booking } });

/** Sends what is due, as the jobs do. */
async function sendRefunds(shop: Shop, deal: Deal): Promise<void> {
  for (const { id } of await paymentsFor(shop, deal)) await refundPayment(shop.deps, id);
  await wait(shop, 2);
}

async function refundedAtProvider(cards: CardProvider, { intent }: Deal): Promise<number> {
  const { refunds } = await cards.ledger();
  return refunds
    .filter(({ payment_intent }) => payment_intent === intent)
    .reduce((sum, { amount }) => sum + amount, 0);
}

describe("a complaint", () => {
  test("stops the release, once, and only within the window", async ({
    shop,
    seller,
    complaint,
  }) => {
    expect(await settlementOf(shop, complaint)).toMatchObject({ state: "complaint" });
    expect(await errorOf(complainAbout(complaint))).toMatchObject({ status: 409, code: "STALE" });
    await wait(shop, 10 * day);
    expect(await transfersOf(shop, complaint)).toEqual([]);
    const asked = (await emailsTo(shop, seller)).filter(({ subject }) =>
      /^The buyer says something is wrong/.test(subject),
    );
    expect(asked).toHaveLength(1);
    const [confirmed] = (await emailsTo(shop, complaint.buyer)).filter(({ subject }) =>
      /^We have your complaint about/.test(subject),
    );
    expect(confirmed?.text).toContain("the seller has 48 hours to answer");
  });

  test("is refused before the handover and after the window", async ({ shop, deal, pay }) => {
    await pay(deal);
    expect(await errorOf(complainAbout(deal))).toMatchObject({ code: "STALE" });
    await handOver(deal);
    shop.clock.advance(72 * hour);
    expect(await errorOf(complainAbout(deal))).toMatchObject({ code: "STALE" });
  });

  test("is refunded in full by the seller", async ({ shop, cards, seller, complaint }) => {
    const earned = await earnedBy(seller);
    const body = { answer: "refund" as const, words: "Sorry about that." };
    await seller.call(answerComplaint, { ...at(complaint), body });
    await sendRefunds(shop, complaint);
    expect(await settlementOf(shop, complaint)).toMatchObject({ state: "refunded" });
    expect(await moneyOf(shop, complaint)).toEqual({ refunded: price });
    expect(await earnedBy(seller)).toBe(earned - 640);
    expect(await refundedAtProvider(cards, complaint)).toBe(price);
    expect(await readOrder(complaint)).toMatchObject({ state: "completed" });
    expect(await transfersOf(shop, complaint)).toEqual([]);
  });

  test("is settled by an offer that the buyer accepts: they get the part, and the seller the rest", async ({
    shop,
    cards,
    seller,
    buyer,
    complaint,
  }) => {
    const offer = { answer: "offer" as const, words: "For the keyboard.", offer: 100 };
    const all = seller.call(answerComplaint, { ...at(complaint), body: { ...offer, offer: 640 } });
    expect(await errorOf(all)).toMatchObject({ code: "INVALID_INPUT" });
    const nothing = seller.call(answerComplaint, {
      ...at(complaint),
      body: { ...offer, offer: 0 },
    });
    expect(await errorOf(nothing)).toMatchObject({
      status: 400,
      fields: { offer: "Offer can't be less than $0.01." },
    });
    await seller.call(answerComplaint, { ...at(complaint), body: offer });
    expect(await buyer.call(readComplaint, at(complaint))).toMatchObject({
      answer: { answer: "offer", offer: 100 },
      decision: null,
    });
    const [four, others] = [await photosOf(shop, seller, 4), await photosOf(shop, seller, 3)];
    const withPhotos = (photos: string[]) =>
      seller.call(answerComplaint, { ...at(complaint), body: { ...offer, offer: 1, photos } });
    await withPhotos(four);
    expect(await errorOf(withPhotos(others))).toMatchObject({ code: "TOO_MANY_PHOTOS" });
    await withPhotos(others.slice(1));
    const accept = (price: number) =>
      buyer.call(closeComplaint, { ...at(complaint), body: { agree: "offer", offer: price } });
    expect(await errorOf(accept(100))).toMatchObject({ code: "STALE" });
    await seller.call(answerComplaint, { ...at(complaint), body: offer });
    const earned = await earnedBy(seller);
    await accept(100);
    await sendRefunds(shop, complaint);
    expect(await earnedBy(seller)).toBe(earned - 100);
    await wait(shop, 1);
    expect(await settlementOf(shop, complaint)).toMatchObject({ state: "released" });
    expect(await moneyOf(shop, complaint)).toEqual({ refunded: 10_000, transferred: 54_000 });
    expect(await refundedAtProvider(cards, complaint)).toBe(10_000);
    const again = buyer.call(closeComplaint, {
      ...at(complaint),
      body: { agree: "withdraw", offer: null },
    });
    expect(await errorOf(again)).toMatchObject({ code: "STALE" });
  });

  test("is decided by an admin, about a part", async ({ shop, admin, seller, complaint }) => {
    const body = { answer: "disagree" as const, words: "It worked when I sold it." };
    await seller.call(answerComplaint, { ...at(complaint), body });
    const [asked] = (await emailsTo(shop, admin)).slice(-1);
    expect(asked?.subject).toBe("A complaint needs your decision");
    expect(await admin.call(listComplaints, {})).toContainEqual(
      expect.objectContaining({ _id: complaint.booking, price: 640 }),
    );
    const decision = { refund: 100.5, words: "The photos show it." };
    await admin.call(decideComplaint, { ...at(complaint), body: decision });
    await sendRefunds(shop, complaint);
    await wait(shop, 1);
    expect(await moneyOf(shop, complaint)).toEqual({ refunded: 10_050, transferred: 53_950 });
    expect(await seller.call(readComplaint, at(complaint))).toMatchObject({
      decision: { refund: 100.5, byAdmin: true },
    });
  });

  test("that is withdrawn, or decided for the seller, releases the money", async ({
    shop,
    buyer,
    complaint,
  }) => {
    await buyer.call(closeComplaint, {
      ...at(complaint),
      body: { agree: "withdraw", offer: null },
    });
    await wait(shop, 1);
    expect(await moneyOf(shop, complaint)).toEqual({ transferred: price });
  });

  test("that nobody decides is decided for the buyer after 21 days", async ({
    shop,
    complaint,
  }) => {
    await wait(shop, 21 * day - 1);
    expect(await settlementOf(shop, complaint)).toMatchObject({ state: "complaint" });
    await wait(shop, 1);
    await sendRefunds(shop, complaint);
    expect(await moneyOf(shop, complaint)).toEqual({ refunded: price });
  });

  test("can't be answered twice, or by others", async ({ seller, admin, complaint }) => {
    const disagree = { answer: "disagree" as const, words: "No." };
    await seller.call(answerComplaint, { ...at(complaint), body: disagree });
    const again = seller.call(answerComplaint, { ...at(complaint), body: disagree });
    expect(await errorOf(again)).toMatchObject({ code: "STALE" });
    const more = { ...at(complaint), body: { refund: 641, words: "More." } };
    expect(await errorOf(admin.call(decideComplaint, more))).toMatchObject({
      code: "INVALID_INPUT",
    });
  });
});

test("money that is only credit goes back on day 85, and buyer and seller hear of it", async ({
  shop,
  cards,
  admin,
  seller,
  buyer,
}) => {
  await give(shop, buyer, 600);
  const deal = await openDeal(buyer, await listLaptop(seller));
  await payForDeal(cards, deal);
  await handOver(deal);
  await complainAbout(deal);
  const decision = { refund: 40, words: "A part." };
  await admin.call(decideComplaint, { ...at(deal), body: decision });
  for (const minutes of [2, 86 * day, 1]) await wait(shop, minutes);
  expect(await moneyOf(shop, deal)).toEqual({ refunded: 4_000 });
  expect(await earnedBy(seller)).toBe(0);
  const to = async (who: Person) =>
    (await emailsTo(shop, who)).find(({ subject }) => /(goes|went) back/.test(subject));
  expect((await to(buyer))?.text).toContain("The $600 of credit that you used is yours to spend");
  expect((await to(seller))?.subject).toMatch(/^\$600 for your .* went back to the buyer$/);
});

test("the seller of a part that is still to be refunded can't be deleted", async ({
  admin,
  seller,
  complaint,
}) => {
  const decision = { refund: 100, words: "A part." };
  await admin.call(decideComplaint, { ...at(complaint), body: decision });
  const remove = admin.call(deleteUser, { params: { id: seller.id } });
  expect(await errorOf(remove)).toMatchObject({ status: 409, code: "IN_USE" });
});

test("a part whose refund got no answer is refunded once", async ({
  shop,
  cards,
  admin,
  complaint,
}) => {
  const decision = { refund: 100, words: "A part." };
  await admin.call(decideComplaint, { ...at(complaint), body: decision });
  await cards.injectFaults({
    failNext: { method: "POST", path: "/v1/refunds", status: "hangup", afterWork: true, times: 2 },
  });
  await wait(shop, 2);
  for (let again = 0; again < 3; again += 1) await wait(shop, 2);
  expect(await refundedAtProvider(cards, complaint)).toBe(10_000);
  expect(await moneyOf(shop, complaint)).toEqual({ refunded: 10_000, transferred: 54_000 });
});
