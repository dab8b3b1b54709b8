import { expect } from "vitest";
import { takeDownProduct } from "#contract/products.ts";
import { deleteReport, listReports, reportProduct } from "#contract/reports.ts";
import { shopTest } from "../../testing/fixtures.ts";
import { goodLaptop, listing } from "../../testing/marketplace.ts";
import { errorOf, member } from "../../testing/people.ts";

const test = shopTest();

const comment = "The serial number is filed off.";
const reportOf = (productId: string, changes = {}) => ({
  body: { comment, reportProduct: { _id: productId }, ...changes },
});

test("§7.21 §7.22 §3.5: admins see who reported a product, and the whole product", async ({
  shop,
  admin,
  seller,
}) => {
  const product = await listing(seller);
  const buyer = await member(shop);
  const hostile = { name: "Mallory", email: "mallory@example.com" };
  const { status, body } = await buyer.send(reportProduct, reportOf(product, hostile));
  const { insertedId } = body;
  expect({ status, body }).toEqual({ status: 201, body: { acknowledged: true, insertedId } });
  const again = await shop.app.inject({
    method: "POST",
    url: "/api/reportedProducts",
    headers: { authorization: `Bearer ${await buyer.connection.token?.()}` },
    body: reportOf(product, hostile).body,
  });
  expect(again.json()).toMatchObject({ acknowledged: false, message: expect.any(String) });
  const [report] = await admin.call(listReports, {});
  expect(report).toMatchObject({
    _id: insertedId,
    name: buyer.name,
    email: buyer.email,
    comment,
    reportProduct: {
      ...goodLaptop,
      _id: product,
      seller_name: seller.name,
      sellerEmail: seller.email,
    },
  });
});

test("a buyer can't report a product without a comment, or again while their report is open", async ({
  shop,
  seller,
}) => {
  const product = await listing(seller);
  const buyer = await member(shop);
  const wordless = buyer.call(reportProduct, reportOf(product, { comment: " " }));
  expect(await errorOf(wordless)).toMatchObject({
    status: 400,
    fields: { comment: "Tell us what is wrong with this item." },
  });
  await buyer.call(reportProduct, reportOf(product));
  expect(await errorOf(buyer.call(reportProduct, reportOf(product)))).toMatchObject({
    status: 409,
    code: "ALREADY_REPORTED",
  });
  await (await member(shop)).call(reportProduct, reportOf(product));
});

test("§7.23: an admin can close a report only once, and the audit row and the product stay", async ({
  shop,
  admin,
  seller,
}) => {
  const product = await listing(seller);
  const buyer = await member(shop);
  const { insertedId: id } = await buyer.call(reportProduct, reportOf(product));
  const closing = { params: { id } };
  expect(await errorOf(buyer.call(deleteReport, closing))).toMatchObject({ status: 403 });
  expect(await admin.call(deleteReport, closing)).toEqual({ acknowledged: true, deletedCount: 1 });
  expect(await errorOf(admin.call(deleteReport, closing))).toMatchObject({ status: 404 });
  const open = await admin.call(listReports, { query: { limit: 100 } });
  expect(open.map(({ _id }) => _id)).not.toContain(id);
  const kept = await shop.deps.db
    .selectFrom("audit_log")
    .select("verb")
    .where("object_id", "=", id)
    .execute();
  expect(kept).toEqual([{ verb: "close" }]);
  await buyer.call(reportProduct, reportOf(product));
});

test("a report shows admins how many reports the buyer has made, and how many reports are about the seller", async ({
  shop,
  admin,
  seller,
}) => {
  const buyer = await member(shop);
  const dismissed = await buyer.call(reportProduct, reportOf(await listing(seller)));
  await admin.call(deleteReport, { params: { id: dismissed.insertedId } });
  const taken = await listing(seller);
  const justified = await buyer.call(reportProduct, reportOf(taken));
  await admin.call(takeDownProduct, { body: { id: taken, reason: "It was stolen." } });
  await admin.call(deleteReport, { params: { id: justified.insertedId } });
  const { insertedId } = await buyer.call(reportProduct, reportOf(await listing(seller)));
  const open = await admin.call(listReports, { query: { limit: 100 } });
  const report = open.find(({ _id }) => _id === insertedId);
  const listings = await shop.deps.db
    .selectFrom("products")
    .select("id")
    .where("seller_id", "=", seller.id)
    .execute();
  expect(report?.history.reporter).toEqual({ reports: 3, dismissed: 1 });
  expect(report?.history.seller).toMatchObject({ listings: listings.length, takenDown: 1 });
  expect(report?.history.seller.reports).toBeGreaterThanOrEqual(3);
});
