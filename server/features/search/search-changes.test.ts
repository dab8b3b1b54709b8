import { describe, expect } from "vitest";
import { toggleSellerStatus, toggleSuspension } from "#contract/members.ts";
import { deleteProduct, editProduct } from "#contract/products.ts";
import { bookLaptop, cancelHold, listing } from "../../testing/marketplace.ts";
import { member } from "../../testing/people.ts";
import { names, searchFor, searchTest, weak, x1 } from "../../testing/searches.ts";
import { indexStaleListings } from "../search-index/index-listings.ts";

const test = searchTest();

describe("GET /search", () => {
  test("a search finds an edited listing by its new text immediately", async ({ shop, seller }) => {
    const id = await listing(seller, weak);
    await seller.call(editProduct, { params: { id }, body: { product_name: "Framework 13" } });
    expect(await names(shop, { q: "framework" })).toEqual(["Framework 13"]);
    expect(await names(shop, { q: "t480" })).toEqual([]);
  });

  test("search results show only laptops that are for sale, and reflect holds and deletions immediately", async ({
    shop,
    seller,
    buyer,
  }) => {
    const id = await listing(seller);
    expect(await names(shop, { q: "carbon" })).toHaveLength(1);
    const booking = await bookLaptop(buyer, id);
    expect(await names(shop, { q: "carbon" })).toEqual([]);
    await cancelHold(buyer, booking);
    expect(await names(shop, { q: "carbon" })).toHaveLength(1);
    await seller.call(deleteProduct, { params: { id } });
    expect(await names(shop, { q: "carbon" })).toEqual([]);
  });

  test("search results reflect the seller's verification and suspension immediately", async ({
    shop,
    admin,
  }) => {
    const seller = await member(shop, { accountType: "seller" });
    await listing(seller);
    expect((await searchFor(shop, { verified: "true" })).loosened?.filter).toBe("verified");
    const { id, email } = seller;
    await admin.call(toggleSellerStatus, { body: { id, email, verify: false } });
    expect(await names(shop, { verified: "true" })).toHaveLength(1);
    await admin.call(toggleSuspension, { body: { id: seller.id, suspended: false } });
    expect(await names(shop, { q: "carbon" })).toEqual([]);
  });

  test("indexStaleListings reindexes listings that are outdated or edited, or have new facts", async ({
    shop,
    seller,
  }) => {
    const id = await listing(seller, x1);
    const { db } = shop.deps;
    await db.updateTable("search_documents").set({ version: 0, tokens: "" }).execute();
    expect(await names(shop, { q: "carbon" })).toEqual([]);
    await indexStaleListings(shop.deps);
    expect(await names(shop, { q: "carbon", ram: "16" })).toHaveLength(1);
    await db
      .updateTable("products")
      .set({ product_name: "Yoga 9i" })
      .where("id", "=", id)
      .execute();
    await indexStaleListings(shop.deps);
    expect(await names(shop, { q: "yoga", ram: "16" })).toEqual(["Yoga 9i"]);
    await db
      .insertInto("laptop_facts")
      .values({ product_id: id, ram_gb: 32, cpu: "Intel Core i5-1240P" })
      .execute();
    await indexStaleListings(shop.deps);
    expect(await names(shop, { ram: "32", cpu: "i5" })).toEqual(["Yoga 9i"]);
  });
});
