import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listCategoryProducts } from "#contract/categories.ts";
import { deleteUser, toggleSellerStatus } from "#contract/members.ts";
import { countViews, readAdminOverview, readSellerOverview } from "#contract/overview.ts";
import { deleteProduct, listSellerProducts } from "#contract/products.ts";
import { refundBooking } from "#contract/refunds.ts";
import { deleteReport, reportProduct } from "#contract/reports.ts";
import { insertLaptop } from "../../testing/insert-laptop.ts";
import { bookLaptop, listing } from "../../testing/marketplace.ts";
import { anyCategory, createVisitor, member, type Person } from "../../testing/people.ts";
import { openShop, type Shop } from "../../testing/shop.ts";
import { settlePayment } from "../money/settle-payment.ts";
import { readAdminOverview as overviewOfShop } from "./overview.ts";

let shop: Shop;
let seller: Person;
let buyer: Person;
let admin: Person;

beforeAll(async () => {
  shop = await openShop();
  seller = await member(shop, { accountType: "seller" });
  buyer = await member(shop);
  admin = await member(shop, { isAdmin: true });
});
afterAll(() => shop.close());

/** In minutes, for `clock.advance`. */
const week = 7 * 24 * 60;

const hold = (product: string) => bookLaptop(buyer, product);

/** Records the payment as a webhook does. */
async function pay(bookingId: string): Promise<void> {
  const made = { id: `pi_${bookingId}`, bookingId, status: "succeeded" } as const;
  const charge = { clientSecret: "", chargeId: "ch_1", cardFingerprint: undefined };
  const cents = { amountCents: 64_000, refundedCents: 0, currency: "usd" };
  const intent = { ...made, ...charge, ...cents, refunds: [], disputes: [] };
  await settlePayment(shop.deps, intent, "webhook");
}

function eventful<W extends { monday: string }>(weeks: W[]): W[] {
  return weeks.filter(({ monday: _, ...counts }) => Object.values(counts).some(Boolean));
}

describe("a seller's overview", () => {
  test("§10.23: a seller's overview counts views, holds, sales and earnings by week, for the seller's own laptops only", async () => {
    const other = await insertLaptop(shop, await member(shop, { accountType: "seller" }));
    const [first, second] = [await insertLaptop(shop, seller), await insertLaptop(shop, seller)];
    const visitor = createVisitor(shop);
    await visitor.call(countViews, { body: { productIds: [first, second, other] } });
    await visitor.call(countViews, { body: { productIds: [first] } });
    await pay(await hold(first));
    shop.clock.advance(week);
    await hold(second);
    const { products, earned, weeks } = await seller.call(readSellerOverview, {});
    expect(products).toEqual({ available: 0, booked: 1, sold: 1 });
    expect(earned).toBe(640);
    expect(weeks).toHaveLength(12);
    expect(eventful(weeks)).toMatchObject([
      { views: 3, holds: 1, sales: 1, earned: 640 },
      { views: 0, holds: 1, sales: 0, earned: 0 },
    ]);
    const [before, now] = eventful(weeks).map(({ monday }) => Date.parse(monday));
    expect(Number(now) - Number(before)).toBe(week * 60_000);
    expect(new Date(Number(now)).getUTCDay()).toBe(1);
    expect(shop.clock.now().getTime() - Number(now)).toBeLessThan(week * 60_000);
  });

  test("a seller's overview lists only the last twelve weeks, but shows all-time earnings", async () => {
    shop.clock.advance(12 * week);
    const { earned, weeks } = await seller.call(readSellerOverview, {});
    expect(earned).toBe(640);
    expect(eventful(weeks)).toEqual([]);
  });
});

test("§10.23: an admin's overview counts members, listings, reports and turnover", async () => {
  const before = await admin.call(readAdminOverview, {});
  const newcomer = await member(shop, { accountType: "seller" });
  await admin.call(toggleSellerStatus, {
    body: { id: newcomer.id, email: newcomer.email, verify: false },
  });
  const [sold, reported] = [await insertLaptop(shop, newcomer), await insertLaptop(shop, newcomer)];
  await pay(await hold(sold));
  await buyer.call(reportProduct, { body: { comment: "Odd.", reportProduct: { _id: reported } } });
  const after = await admin.call(readAdminOverview, {});
  expect(after.weeks.at(-1)).toMatchObject({ members: 1, listings: 2, reports: 1, turnover: 640 });
  expect(after.members).toEqual({
    ...before.members,
    sellers: before.members.sellers + 1,
    verified: before.members.verified + 1,
  });
  expect(after.products).toMatchObject({ sold: before.products.sold + 1 });
  expect(after.openReports).toBe(before.openReports + 1);
  expect(after.turnover).toBe(before.turnover + 640);
});

test("the totals in an admin's overview leave out deleted members and laptops and closed reports, and count no admin as a buyer", async () => {
  const [leaving, gone] = [
    await member(shop, { accountType: "seller", verify: true }),
    await member(shop),
  ];
  const product = await insertLaptop(shop, leaving);
  const body = { comment: "Odd.", reportProduct: { _id: product } };
  const { insertedId: id } = await gone.call(reportProduct, { body });
  const before = await admin.call(readAdminOverview, {});
  await member(shop, { isAdmin: true });
  await admin.call(deleteReport, { params: { id } });
  await leaving.call(deleteProduct, { params: { id: product } });
  for (const one of [leaving, gone]) await admin.call(deleteUser, { params: { id: one.id } });
  const after = await admin.call(readAdminOverview, {});
  expect(after.members).toEqual({
    buyers: before.members.buyers - 1,
    sellers: before.members.sellers - 1,
    verified: before.members.verified - 1,
  });
  expect(after.products.available).toBe(before.products.available - 1);
  expect(after.openReports).toBe(before.openReports - 1);
});

test("weeks begin on Monday in UTC whatever the database's time zone", async () => {
  const midnight = new Date("2031-03-10T00:00:00Z");
  const now = new Date("2031-05-28T12:00:00Z");
  const weeks = await shop.deps.db.transaction().execute(async (tx) => {
    await sql`set local time zone 'America/Los_Angeles'`.execute(tx);
    await sql`update members set created_at = ${midnight} where id = ${buyer.id}`.execute(tx);
    return (await overviewOfShop(tx, now)).weeks;
  });
  expect(weeks[0]).toMatchObject({ monday: "2031-03-10", members: 1 });
  expect(eventful(weeks)).toHaveLength(1);
});

describe("counting views", () => {
  test("views are counted only for available laptops, and no concurrent view is lost", async () => {
    const looked = await member(shop, { accountType: "seller" });
    const [shown, taken] = [await insertLaptop(shop, looked), await insertLaptop(shop, looked)];
    await hold(taken);
    const visitor = createVisitor(shop);
    const body = { productIds: [taken, shown, "01935a00-0000-7000-8000-00000000ffff"] };
    await Promise.all(Array.from({ length: 20 }, () => visitor.call(countViews, { body })));
    const { weeks } = await looked.call(readSellerOverview, {});
    expect(weeks.at(-1)).toMatchObject({ views: 20, holds: 1 });
  });

  test("counting a view doesn't invalidate the public cache", async () => {
    const visitor = createVisitor(shop);
    const [product] = await seller.call(listSellerProducts, { params: { email: seller.email } });
    const params = { id: await anyCategory(shop) };
    await visitor.call(listCategoryProducts, { params });
    const changes = async () =>
      (await shop.deps.db.selectFrom("public_changes").select("tags").execute()).length;
    const before = await changes();
    await visitor.call(countViews, { body: { productIds: [product?._id ?? ""] } });
    expect(await changes()).toBe(before);
    await listing(seller);
    expect(await changes()).toBeGreaterThan(before);
  });
});

test("a refunded payment no longer counts as a sale or as earnings", async () => {
  const unlucky = await member(shop, { accountType: "seller" });
  const bookingId = await hold(await insertLaptop(shop, unlucky));
  await pay(bookingId);
  expect((await unlucky.call(readSellerOverview, {})).earned).toBe(640);
  await admin.call(refundBooking, { body: { bookingId } });
  const { earned, weeks } = await unlucky.call(readSellerOverview, {});
  expect(earned).toBe(0);
  expect(weeks.at(-1)).toMatchObject({ holds: 1, sales: 0, earned: 0 });
});
