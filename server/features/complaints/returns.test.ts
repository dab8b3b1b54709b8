import { describe, expect } from "vitest";
import { listBookings } from "#contract/bookings.ts";
import {
  answerComplaint,
  closeComplaint,
  complain,
  decideComplaint,
  readComplaint,
} from "#contract/complaints.ts";
import { confirmHandover, readHandover } from "#contract/handover.ts";
import { deleteUser } from "#contract/members.ts";
import { readNeedsYou } from "#contract/needs-you.ts";
import { listSales } from "#contract/payouts.ts";
import { listSellerProducts } from "#contract/products.ts";
import type { Sale } from "../../testing/deal.ts";
import { deal } from "../../testing/deal.ts";
import { dealTest } from "../../testing/fixtures.ts";
import { emailsTo } from "../../testing/inbox.ts";
import { errorOf, member, type Person } from "../../testing/people.ts";
import { day, earnedBy, wait } from "../../testing/settlements.ts";
import type { Shop } from "../../testing/shop.ts";

const price = 64_000;
const [held, refunded] = [{ held: price }, { refunded: price }];

/** `waiting`: a sale whose full refund, agreed to by the seller, waits for the laptop's return. */
const test = dealTest().extend("waiting", async ({ shop }) => await returnable(shop));

async function returnable(shop: Shop): Promise<Sale> {
  const sale = await deal(shop, "complained", { bank: true });
  await answer(sale, "refund");
  return sale;
}

const answer = ({ seller, at }: Sale, answer: "refund" | "disagree") =>
  seller.call(answerComplaint, { ...at, body: { answer, words: "Sorry about that." } });

const confirm = ({ booking }: Sale, who: Person) =>
  who.call(confirmHandover, { body: { id: booking } });

const decide = ({ at }: Sale, admin: Person, body: { refund: number; atOnce?: boolean }) =>
  admin.call(decideComplaint, { ...at, body: { words: "Decided.", ...body } });

async function isLate({ booking }: Sale, admin: Person): Promise<boolean> {
  const { items } = await admin.call(readNeedsYou, {});
  return items.some(({ bookingId, reason }) => bookingId === booking && reason === "return_late");
}

describe("a full refund", () => {
  test("a full refund waits until the seller, not the buyer, confirms the laptop's return, and both sides are emailed", async ({
    shop,
    admin,
    waiting: sale,
  }) => {
    const { buyer, seller } = sale;
    const returnBy = new Date(shop.clock.now().getTime() + 7 * day * 60_000).toISOString();
    await wait(shop, 30 * day);
    expect(await sale.settlement()).toMatchObject({ state: "complaint" });
    expect(await sale.money()).toEqual(held);
    const complaint = await buyer.call(readComplaint, sale.at);
    expect(complaint.decision).toMatchObject({ refund: 640, returnBy });
    const [order] = await buyer.call(listBookings, { params: { email: buyer.email } });
    const [product] = await seller.call(listSellerProducts, { params: { email: seller.email } });
    const [sold] = await seller.call(listSales, {});
    expect([order?.returnBy, product?.deal?.returnBy, sold?.returnBy]).toEqual(
      Array(3).fill(returnBy),
    );
    const [told] = await emailsTo(shop, buyer, /^Give .* back to get your money$/);
    expect(told?.text).toContain("Meet them within 7 days");
    expect(await emailsTo(shop, seller, /^The buyer gives your .* laptop back$/)).toHaveLength(1);
    for (const { id } of [buyer, seller])
      expect(await errorOf(admin.call(deleteUser, { params: { id } }))).toMatchObject({
        status: 409,
        code: "IN_USE",
      });
    const body = { agree: "withdraw", offer: null } as const;
    for (const ask of [
      () => buyer.call(closeComplaint, { ...sale.at, body }),
      () => answer(sale, "disagree"),
      () => confirm(sale, buyer),
    ])
      expect(await errorOf(ask())).toMatchObject({ code: "STALE" });
    const stranger = await member(shop);
    expect(await errorOf(confirm(sale, stranger))).toMatchObject({ code: "NOT_FOUND" });
    expect(await sale.money()).toEqual(held);
    await sale.returned();
    expect(await errorOf(sale.returned())).toMatchObject({ code: "STALE" });
    await sale.finishRefund();
    expect(await sale.money()).toEqual(refunded);
  });

  test("a full refund starts when the seller enters the buyer's return code, but not with a wrong one", async ({
    shop,
    waiting: sale,
  }) => {
    const { buyer, seller } = sale;
    const read = (who: Person) => who.call(readHandover, sale.at);
    const code = await sale.newCode();
    expect(await read(buyer)).toMatchObject({ refund: "waits", code: { locked: false } });
    const wrong = code === "000000" ? "000001" : "000000";
    const refused = { code: "WRONG_HANDOVER_CODE" };
    expect(await errorOf(sale.enterCode(wrong))).toMatchObject(refused);
    expect(await sale.money()).toEqual(held);
    const earned = await earnedBy(seller);
    await sale.enterCode(code);
    expect(await read(seller)).toMatchObject({ refund: "started" });
    await sale.finishRefund();
    expect(await sale.money()).toEqual(refunded);
    expect(await sale.settlement()).toMatchObject({ state: "refunded" });
    expect(await earnedBy(seller)).toBe(earned - 640);
    expect(await sale.refundsAtProvider()).toMatchObject([{ amount: price }]);
    expect(await sale.order()).toMatchObject({ state: "completed" });
    expect(await sale.transfers()).toEqual([]);
    expect(await emailsTo(shop, buyer, /^You get your \$640 back$/)).toHaveLength(1);
    expect(await emailsTo(shop, seller, /^You have your .* laptop back$/)).toHaveLength(1);
    expect(await errorOf(sale.enterCode(code))).toMatchObject({ status: 409, code: "STALE" });
    expect(await errorOf(sale.newCode())).toMatchObject({ status: 409, code: "STALE" });
    const { rows } = await shop.pool.query("select from handover_codes where booking_id = $1", [
      sale.booking,
    ]);
    expect(rows).toEqual([]);
  });

  test("after 21 days without a decision, the automatic full refund also waits for the laptop's return", async ({
    shop,
    admin,
  }) => {
    const sale = await deal(shop, "complained", { bank: true });
    await wait(shop, 21 * day - 1);
    expect(await sale.settlement()).toMatchObject({ state: "complaint" });
    expect((await sale.buyer.call(readComplaint, sale.at)).decision).toBeNull();
    await wait(shop, 1);
    expect((await sale.buyer.call(readComplaint, sale.at)).decision).toMatchObject({
      refund: 640,
      byAdmin: false,
      returnBy: expect.any(String),
    });
    await wait(shop, 7 * day);
    expect(await sale.money()).toEqual(held);
    expect(await isLate(sale, admin)).toBe(true);
  });

  test("a full refund doesn't wait for a return if an admin waives it or the buyer reported never getting the laptop", async ({
    shop,
    admin,
  }) => {
    const atOnce = await deal(shop, "complained");
    await decide(atOnce, admin, { refund: 640, atOnce: true });
    const missing = await deal(shop, "handedOver");
    const body = { bookingId: missing.booking, reason: "not_received", words: "No." } as const;
    await missing.buyer.call(complain, { body });
    await decide(missing, admin, { refund: 640 });
    for (const sale of [atOnce, missing]) {
      expect((await sale.buyer.call(readComplaint, sale.at)).decision?.returnBy).toBeNull();
      await sale.finishRefund();
      expect(await sale.money()).toEqual(refunded);
    }
  });
});

describe("a laptop that is not returned within 7 days", () => {
  test("an admin can refund the buyer if the laptop is not returned within 7 days", async ({
    shop,
    admin,
  }) => {
    const sale = await deal(shop, "complained");
    await decide(sale, admin, { refund: 640 });
    await wait(shop, 7 * day - 1);
    expect(await isLate(sale, admin)).toBe(false);
    await wait(shop, 1);
    expect(await isLate(sale, admin)).toBe(true);
    expect(await sale.record(admin)).toMatchObject({ isOpen: true });
    await decide(sale, admin, { refund: 640, atOnce: true });
    expect(await isLate(sale, admin)).toBe(false);
    expect(await sale.record(admin)).toMatchObject({ isOpen: false });
    await sale.finishRefund();
    expect(await sale.money()).toEqual(refunded);
    expect(await errorOf(sale.returned())).toMatchObject({ code: "STALE" });
  });

  test("an admin can pay the seller if the laptop is not returned within 7 days", async ({
    shop,
    admin,
    waiting: sale,
  }) => {
    await wait(shop, 7 * day);
    await decide(sale, admin, { refund: 0 });
    expect(await isLate(sale, admin)).toBe(false);
    await wait(shop, 1);
    expect(await sale.money()).toEqual({ transferred: price });
    const again = decide(sale, admin, { refund: 640, atOnce: true });
    expect(await errorOf(again)).toMatchObject({ code: "STALE" });
  });

  test("while the bank decides a dispute, admins aren't asked about a laptop that is not returned", async ({
    shop,
    admin,
    waiting: sale,
  }) => {
    await wait(shop, 7 * day);
    expect(await isLate(sale, admin)).toBe(true);
    await sale.reportDispute({ state: "open", movements: [-price] });
    expect(await isLate(sale, admin)).toBe(false);
    await sale.reportDispute({ state: "won", movements: [-price, price] });
    expect(await isLate(sale, admin)).toBe(true);
  });
});

test("a return can't be confirmed during a bank dispute, and confirming it after a lost dispute refunds nothing", async ({
  waiting: sale,
}) => {
  const code = await sale.newCode();
  const movements = [-price];
  await sale.reportDispute({ state: "open", movements });
  expect(await errorOf(sale.enterCode(code))).toMatchObject({ code: "STALE" });
  await sale.reportDispute({ state: "lost", movements });
  await sale.enterCode(code);
  expect(await sale.settlement()).toMatchObject({ state: "refunded" });
  expect(await sale.money()).toEqual({});
});
