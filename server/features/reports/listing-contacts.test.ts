import { expect } from "vitest";
import { readOwnData } from "#contract/account.ts";
import { findBookingToPay, listBookings } from "#contract/bookings.ts";
import { listCategories } from "#contract/categories.ts";
import { dismissFlag, listFlaggedListings } from "#contract/flagged-listings.ts";
import { readProduct } from "#contract/laptops.ts";
import { addProduct, editProduct, listSellerProducts } from "#contract/products.ts";
import { everyAnswer } from "../../testing/every-answer.ts";
import { shopTest } from "../../testing/fixtures.ts";
import { bookLaptop, cancelHold, draftListing, listing } from "../../testing/marketplace.ts";
import { errorOf, member, type Person } from "../../testing/people.ts";

const test = shopTest();

const texts = {
  product_name: "ThinkPad T14, 212, 555, 7891",
  location: "Leeds, 503x555x0142",
  description: "Zebra stripes on the lid. Write to anna@host.sg.",
};
const contact = /555\W*7891|555x?0142|host\.sg/;

test("§10.12: contact details in a listing's texts are shown only to the seller, admins and the buyer who holds the laptop", async ({
  shop,
  seller,
  buyer,
  admin,
}) => {
  const product = await listing(seller, texts);
  const stranger = await member(shop);
  const seen = async (reader: Person | undefined) => {
    const ids = [product, seller.id, seller.email, buyer.id, buyer.email, booking ?? product];
    const category = (await buyer.call(listCategories, {}))[0]?._id ?? "";
    const answers = await everyAnswer(shop, [...ids, category], reader);
    for (const url of ["/api/search?q=zebra"])
      answers.push(`${url} ${(await shop.app.inject(url)).body}`);
    expect(answers.some((answer) => answer.includes("[hidden until booked]"))).toBe(true);
    return answers.filter((answer) => contact.test(answer)).map((answer) => answer.split(" ")[0]);
  };
  let booking: string | undefined;
  for (const reader of [undefined, buyer, stranger]) expect(await seen(reader)).toEqual([]);
  const [own] = await seller.call(listSellerProducts, { params: { email: seller.email } });
  expect(own).toMatchObject(texts);
  expect((await seller.call(readOwnData, {})).products).toMatchObject([texts]);

  booking = await bookLaptop(buyer, product);
  for (const reader of [undefined, stranger]) expect(await seen(reader)).toEqual([]);
  const [held] = await buyer.call(listBookings, { params: { email: buyer.email } });
  expect(held?.bookingProduct).toMatchObject(texts);
  await cancelHold(buyer, booking);
  for (const reader of [undefined, buyer, stranger]) expect(await seen(reader)).toEqual([]);
  const { bookingProduct } = await buyer.call(findBookingToPay, { params: { id: booking } });
  expect(bookingProduct.description).toBe(
    "Zebra stripes on the lid. Write to [hidden until booked].",
  );
  expect(await admin.call(listFlaggedListings, {})).toMatchObject([{ product: texts }]);
});

test("a listing with contact details in its texts is flagged, and is flagged again after a dismissal only if the contact details change", async ({
  shop,
  admin,
}) => {
  const seller = await member(shop, { accountType: "seller" });
  const id = await listing(seller, { description: "Call 503-555-0142." });
  const find = async () =>
    (await admin.call(listFlaggedListings, {})).find(({ product }) => product._id === id);
  const edit = async (description: string) =>
    await seller.call(editProduct, {
      params: { id },
      body: await draftListing(seller, { description }),
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

test("contact details in facts are rejected, because facts stay public even after a booking", async ({
  seller,
}) => {
  const body = await draftListing(seller, { facts: { included: "Bag, or call 503-555-0142" } });
  const message = "Leave out phone numbers, email addresses and links.";
  expect(await errorOf(seller.call(addProduct, { body }))).toMatchObject({
    status: 400,
    fields: { "facts.included": message },
  });
});
