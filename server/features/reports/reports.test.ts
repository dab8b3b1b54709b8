import { expect } from "vitest";
import { readOwnData } from "#contract/account.ts";
import { findBookingToPay, listBookings } from "#contract/bookings.ts";
import { listCategories } from "#contract/categories.ts";
import { dismissFlag, listFlaggedListings } from "#contract/flagged-listings.ts";
import { readProduct } from "#contract/laptop-page.ts";
import {
  addProduct,
  editProduct,
  listSellerProducts,
  takeDownProduct,
} from "#contract/products.ts";
import { deleteReport, listReports, reportProduct } from "#contract/reports.ts";
import { everyAnswer } from "../../testing/every-answer.ts";
import { shopTest } from "../../testing/fixtures.ts";
import { insertLaptop, insertPhoto } from "../../testing/insert-laptop.ts";
import {
  bookLaptop,
  cancelHold,
  draftListing,
  goodLaptop,
  listing,
} from "../../testing/marketplace.ts";
import { errorOf, member, type Person } from "../../testing/people.ts";

const test = shopTest();

const comment = "The serial number is filed off.";
const reportOf = (productId: string, changes = {}) => ({
  body: { comment, reportProduct: { _id: productId }, ...changes },
});

test("§7.21 §7.22 §3.5: admins see the whole reported product and who reported it", async ({
  shop,
  admin,
  seller,
}) => {
  const product = await insertLaptop(shop, seller);
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

test("§7.23: an admin can close a report only once, and closing is audited and keeps the product", async ({
  shop,
  admin,
  seller,
}) => {
  const product = await insertLaptop(shop, seller);
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

test("a report needs a comment, can't be repeated while open, and shows the history of its reporter and seller", async ({
  shop,
  admin,
  seller,
}) => {
  const [buyer, product] = [await member(shop), await insertLaptop(shop, seller)];
  const wordless = buyer.call(reportProduct, reportOf(product, { comment: " " }));
  expect(await errorOf(wordless)).toMatchObject({
    status: 400,
    fields: { comment: "Tell us what is wrong with this item." },
  });
  const dismissed = await buyer.call(reportProduct, reportOf(product));
  expect(await errorOf(buyer.call(reportProduct, reportOf(product)))).toMatchObject({
    status: 409,
    code: "ALREADY_REPORTED",
  });
  await (await member(shop)).call(reportProduct, reportOf(product));
  await admin.call(deleteReport, { params: { id: dismissed.insertedId } });
  const taken = await insertLaptop(shop, seller);
  const justified = await buyer.call(reportProduct, reportOf(taken));
  await admin.call(takeDownProduct, { body: { id: taken, reason: "It was stolen." } });
  await admin.call(deleteReport, { params: { id: justified.insertedId } });
  const { insertedId } = await buyer.call(reportProduct, reportOf(product));
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

const texts = {
  product_name: "ThinkPad T14, 212, 555, 7891",
  location: "Leeds, 503x555x0142",
  description: "Zebra stripes on the lid. Write to anna@host.sg.",
};
const contact = /555\W*7891|555x?0142|host\.sg/;

test("§10.12: contact details in a listing's text are shown only to the seller, admins and the buyer who holds the laptop", async ({
  shop,
  buyer,
  admin,
}) => {
  const seller = await member(shop, { accountType: "seller" });
  const product = await listing(seller, { img: await insertPhoto(shop, seller), ...texts });
  const stranger = await member(shop);
  const seen = async (reader: Person | undefined) => {
    const ids = [product, seller.id, seller.email, buyer.id, buyer.email, booking];
    const category = (await buyer.call(listCategories, {}))[0]?._id ?? "";
    const answers = await everyAnswer(shop, [...ids, category], reader);
    const url = "/api/search?q=zebra";
    answers.push(`${url} ${(await shop.app.inject(url)).body}`);
    expect(answers.some((answer) => answer.includes("[hidden until booked]"))).toBe(true);
    return answers.filter((answer) => contact.test(answer)).map((answer) => answer.split(" ")[0]);
  };
  const [own] = await seller.call(listSellerProducts, { params: { email: seller.email } });
  expect(own).toMatchObject(texts);
  expect((await seller.call(readOwnData, {})).products).toMatchObject([texts]);

  const unbooked = await buyer.send(readProduct, { params: { id: product } });
  expect(JSON.stringify(unbooked.body)).not.toMatch(contact);
  const booking = await bookLaptop(buyer, product);
  for (const reader of [undefined, stranger]) expect(await seen(reader)).toEqual([]);
  const [held] = await buyer.call(listBookings, { params: { email: buyer.email } });
  expect(held?.bookingProduct).toMatchObject(texts);
  await cancelHold(buyer, booking);
  for (const reader of [undefined, buyer, stranger]) expect(await seen(reader)).toEqual([]);
  const { bookingProduct } = await buyer.call(findBookingToPay, { params: { id: booking } });
  expect(bookingProduct.description).toBe(
    "Zebra stripes on the lid. Write to [hidden until booked].",
  );
  const flagged = await admin.call(listFlaggedListings, {});
  expect(flagged.find(({ product: { _id } }) => _id === product)).toMatchObject({ product: texts });
});

test("a listing with contact details in its text is flagged, and after a dismissal is flagged again only if the contact details change", async ({
  shop,
  admin,
}) => {
  const seller = await member(shop, { accountType: "seller" });
  const img = await insertPhoto(shop, seller);
  const id = await listing(seller, { img, description: "Call 503-555-0142." });
  const find = async () =>
    (await admin.call(listFlaggedListings, {})).find(({ product }) => product._id === id);
  const edit = async (description: string) =>
    await seller.call(editProduct, {
      params: { id },
      body: await draftListing(seller, { img, description }),
    });
  expect(await find()).toMatchObject({ reasons: ["contact"], contacts: ["503-555-0142"] });
  await admin.call(dismissFlag, { params: { id } });
  await edit("Please call 503-555-0142.");
  expect(await find()).toBeUndefined();
  await edit("Call 503-555-0143 or me@host.cz.");
  expect(await find()).toMatchObject({ contacts: ["503-555-0143", "me@host.cz"] });
  await edit("A clean one.");
  expect(await find()).toBeUndefined();
  expect(await seller.call(readProduct, { params: { id } })).toMatchObject({
    description: "A clean one.",
  });
});

test("a listing's facts can't contain contact details, because everyone can read facts", async ({
  seller,
}) => {
  const facts = { included: "Bag, or call 503-555-0142" };
  const body = await draftListing(seller, { img: "/images/none.jpg", facts });
  const message = "Leave out phone numbers, email addresses and links.";
  expect(await errorOf(seller.call(addProduct, { body }))).toMatchObject({
    status: 400,
    fields: { "facts.included": message },
  });
});
