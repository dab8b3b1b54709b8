import { expect } from "vitest";
import { listAuditLog } from "#contract/audit.ts";
import { findBookingToPay } from "#contract/bookings.ts";
import { listCategoryProducts } from "#contract/categories.ts";
import { listSellerProducts, takeDownProduct } from "#contract/products.ts";
import { listReports, reportProduct } from "#contract/reports.ts";
import { deal } from "../../testing/deal.ts";
import { shopTest } from "../../testing/fixtures.ts";
import { emailsTo } from "../../testing/inbox.ts";
import { listing } from "../../testing/marketplace.ts";
import { anyCategory, errorOf, type Person } from "../../testing/people.ts";
import type { Shop } from "../../testing/shop.ts";

const test = shopTest({ sandbox: true });

const takeDown = (admin: Person, id: string, reason = "The photo is not of this laptop.") =>
  admin.call(takeDownProduct, { body: { id, reason } });

async function isPublic(shop: Shop, buyer: Person, id: string): Promise<boolean> {
  const params = { id: await anyCategory(shop) };
  return (await buyer.call(listCategoryProducts, { params })).some(({ _id }) => _id === id);
}

test("§10.18: a takedown removes a listing from public pages, logs the reason and emails it to the seller once, and leaves reports open", async ({
  shop,
  admin,
  seller,
  buyer,
}) => {
  const id = await listing(seller, { product_name: "ThinkPad T480, 16 GB" });
  await buyer.call(reportProduct, { body: { comment: "Stolen.", reportProduct: { _id: id } } });
  expect(await isPublic(shop, buyer, id)).toBe(true);
  const reason = "The photo is from a <b>catalogue</b>.";
  await takeDown(admin, id, reason);
  expect(await isPublic(shop, buyer, id)).toBe(false);
  const own = await seller.call(listSellerProducts, { params: { email: seller.email } });
  expect(own.map(({ _id }) => _id)).not.toContain(id);
  const [entry] = await admin.call(listAuditLog, { query: { objectId: id } });
  expect(entry).toMatchObject({
    verb: "take down",
    actor: { _id: admin.id },
    detail: { reason },
  });
  const [report] = await admin.call(listReports, {});
  expect(report).toMatchObject({ listed: false, reportProduct: { _id: id } });
  expect(await errorOf(takeDown(admin, id))).toMatchObject({ status: 404, code: "NOT_FOUND" });
  const mails = (await emailsTo(shop, seller)).filter(({ text }) => text.includes("catalogue"));
  expect(mails).toMatchObject([{ subject: "We took down one of your listings" }]);
  expect(mails[0]?.text).toContain(`“${reason}”`);
  expect(mails[0]?.text).toContain("Listing: “ThinkPad T480, 16 GB”");
  expect(mails[0]?.html).not.toContain("<b>catalogue");
});

test("taking down a held laptop cancels the hold, and the buyer sees that the shop canceled it", async ({
  shop,
  admin,
  seller,
  buyer,
}) => {
  const { booking, product } = await deal(shop, "held", {
    seller,
    buyer,
    product: await listing(seller),
  });
  await takeDown(admin, product);
  const order = await buyer.call(findBookingToPay, { params: { id: booking } });
  expect(order).toMatchObject({ state: "cancelled", cancelledBy: "shop" });
  expect(await isPublic(shop, buyer, product)).toBe(false);
});

test("a takedown requires a reason, and a laptop that is paid for can't be taken down", async ({
  shop,
  admin,
  seller,
  buyer,
}) => {
  const sale = await deal(shop, "paid", { buyer, seller });
  expect(await errorOf(takeDown(admin, sale.product, " "))).toMatchObject({
    status: 400,
    fields: { reason: "Write why you are taking this listing down." },
  });
  expect(await errorOf(takeDown(admin, sale.product))).toMatchObject({
    status: 409,
    code: "IN_USE",
    message: "This laptop is paid for. Refund the buyer before you take the listing down.",
  });
  expect(await sale.order()).toMatchObject({ state: "paid" });
});
