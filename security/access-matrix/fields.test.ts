import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { booking, findBookingToPay, listBookings } from "#contract/bookings.ts";
import { listCategoryProducts } from "#contract/categories.ts";
import { listBuyers, user } from "#contract/members.ts";
import {
  listAdvertisedProducts,
  listSellerProducts,
  ownProduct,
  product,
} from "#contract/products.ts";
import { listReports, report } from "#contract/reports.ts";
import { anyCategory, createVisitor } from "#server/testing/people.ts";
import { openShop, type Shop } from "#server/testing/shop.ts";
import { type Cast, castOf } from "./actors.ts";
import { type Stage, stageOf } from "./fixtures.ts";

let shop: Shop;
let cast: Cast;
let stage: Stage;

beforeAll(async () => {
  shop = await openShop();
  cast = await castOf(shop);
  stage = stageOf(shop, cast);
});
afterAll(() => shop.close());

const keys = (one: object | undefined) => Object.keys(one ?? {}).sort();
const shape = (schema: { shape: object }) => keys(schema.shape);

describe("of a product", () => {
  test("nobody sees whose it is in the public lists, its seller and admins neither", async () => {
    const [seller] = cast.seller;
    await stage.product(seller);
    const params = { id: await anyCategory(shop) };
    for (const who of [createVisitor(shop), cast.buyer[0], seller, cast.admin[0]]) {
      const [listed] = await who.call(listCategoryProducts, { params });
      expect(keys(listed)).toEqual(shape(product));
      expect(keys(listed)).not.toContain("sellerEmail");
      for (const one of await who.call(listAdvertisedProducts, {}))
        expect(keys(one)).toEqual(shape(product));
    }
  });

  test("its seller and admins see the contact on it too", async () => {
    const [seller] = cast.seller;
    await stage.product(seller);
    for (const who of [seller, cast.admin[0]]) {
      const [own] = await who.call(listSellerProducts, { params: { email: seller.email } });
      expect(keys(own)).toEqual(shape(ownProduct));
      expect(own).toMatchObject({ sellerEmail: seller.email });
    }
  });
});

describe("of the product in a booking", () => {
  test.each(["held", "paid"] as const)(
    "its buyer sees the seller's contact while it is %s",
    async (state) => {
      const [buyer] = cast.buyer;
      const id = await stage.booking(buyer, state);
      const found = await buyer.call(findBookingToPay, { params: { id } });
      expect(keys(found)).toEqual(shape(booking));
      expect(found.bookingProduct.sellerEmail).toBe(cast.seller[0].email);
    },
  );

  test("neither they nor an admin see it there once the deal is off", async () => {
    const [buyer] = cast.buyer;
    const id = await stage.booking(buyer, "cancelled");
    for (const who of [buyer, cast.admin[0]]) {
      const bookings = await who.call(listBookings, { params: { email: buyer.email } });
      const ended = bookings.find((one) => one._id === id);
      expect(keys(ended?.bookingProduct)).toEqual(shape(product));
    }
  });
});

describe("of the deal on a product", () => {
  test("its seller sees the buyer's contact while it lives, and not after", async () => {
    const [seller] = cast.seller;
    const [buyer] = cast.buyer;
    const [ended, live] = [await stage.booking(buyer, "cancelled"), await stage.booking(buyer)];
    const products = await seller.call(listSellerProducts, { params: { email: seller.email } });
    const deals = products.flatMap(({ deal }) => deal ?? []);
    expect(deals.find(({ bookingId }) => bookingId === live)?.email).toBe(buyer.email);
    expect(deals.find(({ bookingId }) => bookingId === ended)).toBeUndefined();
  });
});

describe("of people and their reports", () => {
  test("admins see what the specification names, and nothing of how they sign in", async () => {
    const [admin] = cast.admin;
    const [buyer] = cast.buyer;
    await stage.report(buyer, await stage.product(cast.seller[0]));
    const [listed] = await admin.call(listBuyers, {});
    expect(keys(listed)).toEqual(shape(user));
    const [written] = await admin.call(listReports, {});
    expect(keys(written)).toEqual(shape(report));
    expect(written).toMatchObject({ email: buyer.email });
  });
});
