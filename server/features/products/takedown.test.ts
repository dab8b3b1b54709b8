import { afterAll, beforeAll, expect, test } from "vitest";
import { listAuditLog } from "#contract/audit.ts";
import { findBookingToPay } from "#contract/bookings.ts";
import { listCategoryProducts } from "#contract/categories.ts";
import { listSellerProducts, takeDownProduct } from "#contract/products.ts";
import { listReports, reportProduct } from "#contract/reports.ts";
import { cardsOf } from "../../testing/cards.ts";
import { readOrder } from "../../testing/deals.ts";
import { listLaptop, openDeal, sendRecordPayment } from "../../testing/marketplace.ts";
import { createMember, errorOf, type Person } from "../../testing/people.ts";
import { openShop, type Shop } from "../../testing/shop.ts";

let shop: Shop;
let seller: Person;
let buyer: Person;
let admin: Person;

beforeAll(async () => {
  shop = await openShop({ sandbox: true });
  seller = await createMember(shop, { accountType: "seller" });
  buyer = await createMember(shop);
  admin = await createMember(shop, { isAdmin: true });
});
afterAll(() => shop.close());

const takeDown = (id: string, reason = "The photo is not of this laptop.") =>
  admin.call(takeDownProduct, { body: { id, reason } });

async function isPublic(id: string): Promise<boolean> {
  const { category_id } = await shop.deps.db
    .selectFrom("products")
    .select("category_id")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  const listed = await buyer.call(listCategoryProducts, { params: { id: category_id } });
  return listed.some(({ _id }) => _id === id);
}

test("§10.18: a listing taken down leaves the public pages, with its reason in the audit log and its report still open", async () => {
  const id = await listLaptop(seller);
  await buyer.call(reportProduct, { body: { comment: "Stolen.", reportProduct: { _id: id } } });
  expect(await isPublic(id)).toBe(true);
  await takeDown(id);
  expect(await isPublic(id)).toBe(false);
  const own = await seller.call(listSellerProducts, { params: { email: seller.email } });
  expect(own.map(({ _id }) => _id)).not.toContain(id);
  const [entry] = await admin.call(listAuditLog, { query: { objectId: id } });
  expect(entry).toMatchObject({
    verb: "take down",
    actor: { _id: admin.id },
    detail: { reason: "The photo is not of this laptop." },
  });
  const [report] = await admin.call(listReports, {});
  expect(report).toMatchObject({ listed: false, reportProduct: { _id: id } });
  expect(await errorOf(takeDown(id))).toMatchObject({ status: 404, code: "NOT_FOUND" });
});

test("taking down a held laptop cancels the hold, and its buyer sees who cancelled it", async () => {
  const { booking, product } = await openDeal(buyer, await listLaptop(seller));
  await takeDown(product);
  const order = await buyer.call(findBookingToPay, { params: { id: booking } });
  expect(order).toMatchObject({ state: "cancelled", cancelledBy: "shop" });
  expect(await isPublic(product)).toBe(false);
});

test("refuses to take down a laptop that is paid for", async () => {
  const deal = await openDeal(buyer, await listLaptop(seller));
  await cardsOf(shop).pay(deal.intent);
  await sendRecordPayment(deal);
  expect(await errorOf(takeDown(deal.product))).toMatchObject({
    status: 409,
    code: "IN_USE",
    message: "This laptop is paid for. Refund the buyer before you take the listing down.",
  });
  expect(await readOrder(deal)).toMatchObject({ state: "paid" });
});

test("requires a reason", async () => {
  expect(await errorOf(takeDown(await listLaptop(seller), " "))).toMatchObject({
    status: 400,
    fields: { reason: "Write why you are taking this listing down." },
  });
});
