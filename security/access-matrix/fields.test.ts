import { describe, expect } from "vitest";
import { bookingToPay, findBookingToPay, listBookings } from "#contract/bookings.ts";
import { listCategoryProducts } from "#contract/categories.ts";
import {
  listAdvertisedProducts,
  listSellerProducts,
  ownProduct,
  product,
} from "#contract/products.ts";
import { shopTest } from "#server/testing/fixtures.ts";
import { anyCategory, createVisitor } from "#server/testing/people.ts";
import { createMembers } from "./actors.ts";
import { createFixtures } from "./fixtures.ts";

const test = shopTest()
  .extend("members", { scope: "file" }, ({ shop }) => createMembers(shop))
  .extend("fixtures", { scope: "file" }, ({ shop, members }) => createFixtures(shop, members));

const keys = (one: object | undefined) => Object.keys(one ?? {}).sort();
const shape = (schema: { shape: object }) => keys(schema.shape);

describe("product lists", () => {
  test("public lists hide the seller's contact details, even from the seller and admins", async ({
    shop,
    members,
    fixtures,
  }) => {
    const [seller] = members.seller;
    await fixtures.product(seller);
    const params = { id: await anyCategory(shop) };
    for (const who of [createVisitor(shop), members.buyer[0], seller, members.admin[0]]) {
      const [listed] = await who.call(listCategoryProducts, { params });
      expect(keys(listed)).toEqual(shape(product));
      expect(keys(listed)).not.toContain("sellerEmail");
      for (const one of await who.call(listAdvertisedProducts, {}))
        expect(keys(one)).toEqual(shape(product));
    }
  });

  test("a seller's own product list shows the seller's contact details to the seller and to admins", async ({
    members,
    fixtures,
  }) => {
    const [seller] = members.seller;
    await fixtures.product(seller);
    for (const who of [seller, members.admin[0]]) {
      const [own] = await who.call(listSellerProducts, { params: { email: seller.email } });
      expect(keys(own)).toEqual(shape(ownProduct));
      expect(own).toMatchObject({ sellerEmail: seller.email });
    }
  });
});

describe("a buyer's bookings", () => {
  test.for(["held", "paid"] as const)(
    "a %s booking shows the buyer the seller's contact details",
    async (state, { members, fixtures }) => {
      const [buyer] = members.buyer;
      const id = await fixtures.booking(buyer, state);
      const found = await buyer.call(findBookingToPay, { params: { id } });
      expect(keys(found)).toEqual(shape(bookingToPay));
      expect(found.bookingProduct.sellerEmail).toBe(members.seller[0].email);
    },
  );

  test("a canceled booking hides the seller's contact details from the buyer and admins", async ({
    members,
    fixtures,
  }) => {
    const [buyer] = members.buyer;
    const id = await fixtures.booking(buyer, "cancelled");
    for (const who of [buyer, members.admin[0]]) {
      const bookings = await who.call(listBookings, { params: { email: buyer.email } });
      const ended = bookings.find((one) => one._id === id);
      expect(keys(ended?.bookingProduct)).toEqual(shape(product));
    }
  });
});
