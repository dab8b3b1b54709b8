import { describe, expect } from "vitest";
import { toggleSuspension } from "#contract/members.ts";
import { deleteProduct, editProduct } from "#contract/products.ts";
import { listSuggestions, search } from "#contract/search.ts";
import { shopTest } from "../../testing/fixtures.ts";
import {
  bookLaptop,
  cancelHold,
  draftListing,
  listLaptop,
  verifySeller,
} from "../../testing/marketplace.ts";
import { createMember, createVisitor, errorOf } from "../../testing/people.ts";
import type { Shop } from "../../testing/shop.ts";
import { indexStaleListings } from "../search-index/index-listings.ts";
import { refreshVocabulary } from "./vocabulary.ts";

/** Each test has the listings to itself. */
const test = shopTest().extend("emptied", { auto: true }, async ({ shop }) => {
  await shop.deps.db
    .updateTable("products")
    .set({ deleted_at: shop.clock.now() })
    .where("sales_status", "=", "available")
    .execute();
});

type Query = Parameters<typeof searchFor>[1];

async function searchFor(shop: Shop, query: Record<string, string | number>) {
  return await createVisitor(shop).call(search, { query });
}

async function names(shop: Shop, query: Query): Promise<string[]> {
  const { items } = await searchFor(shop, query);
  return items.map(({ product_name }) => product_name);
}

const x1 = {
  product_name: "X1 Carbon Gen 9",
  description: "i7-1165G7, 16 GB RAM, 512 GB SSD, 14 inch, battery at 88 %.",
  resale_price: 450,
  location: "Portland, OR",
};
const weak = {
  product_name: "ThinkPad T480",
  description: "i5-8250U, 16GB memory, 256GB. Battery health 61%.",
  resale_price: 250,
  location: "Portland, OR",
};
const mac = {
  product_name: "MacBook Air M1",
  description: '8GB/256GB, 13.3", like new.',
  resale_price: 480,
  location: "Leeds",
};

describe("GET /search", () => {
  test("finds an edited listing by its new text at once", async ({ shop, seller }) => {
    const id = await listLaptop(seller, weak);
    const body = { ...(await draftListing(seller, weak)), product_name: "Framework 13" };
    await seller.call(editProduct, { params: { id }, body });
    expect(await names(shop, { q: "framework" })).toEqual(["Framework 13"]);
    expect(await names(shop, { q: "t480" })).toEqual([]);
  });

  test("understands a sentence", async ({ shop, seller }) => {
    for (const laptop of [x1, weak, mac]) await listLaptop(seller, laptop);
    const q = "16 GB ThinkPad under $500 near Portland with a good battery";
    const answer = await searchFor(shop, { q });
    expect(answer.items.map(({ product_name }) => product_name)).toEqual([x1.product_name]);
    expect(answer.filters).toEqual([
      {
        filter: "ram",
        label: "16 GB RAM",
        rest: "thinkpad under $500 near portland with a good battery",
      },
      {
        filter: "price",
        label: "up to $500",
        rest: "16 gb thinkpad near portland with a good battery",
      },
      {
        filter: "near",
        label: "near Portland",
        rest: "16 gb thinkpad under $500 with a good battery",
      },
      {
        filter: "battery",
        label: "battery at least 80%",
        rest: "16 gb thinkpad under $500 near portland",
      },
    ]);
  });

  test("finds words in any order, beginnings, numbers and units", async ({ shop, seller }) => {
    await listLaptop(seller, x1);
    for (const q of [
      "carbon x1",
      "lenovo 16gb",
      "i7-1165G7",
      "1165g7",
      '14"',
      "512 gb ssd",
      "x1carbon",
      "carb",
    ])
      expect(await names(shop, { q }), q).toEqual([x1.product_name]);
    for (const q of ["macbook", "t480", "unobtainium"])
      expect(await names(shop, { q }), q).toEqual([]);
  });

  test("filters, counts the other choices of a filter, and sorts", async ({ shop, seller }) => {
    for (const laptop of [x1, weak, mac]) await listLaptop(seller, laptop);
    expect(await names(shop, { ram: "16", sort: "price" })).toEqual([
      weak.product_name,
      x1.product_name,
    ]);
    expect(await names(shop, { sort: "-price" })).toEqual([
      mac.product_name,
      x1.product_name,
      weak.product_name,
    ]);
    expect(await names(shop, { battery: 80 })).toEqual([x1.product_name]);
    expect(await names(shop, { minPrice: 251, maxPrice: 460 })).toEqual([x1.product_name]);
    expect(await names(shop, { cpu: "i5,i7", maxPrice: 300 })).toEqual([weak.product_name]);
    const { facets, total, sampled } = await searchFor(shop, { ram: "16", storage: "512" });
    expect({ total, sampled }).toEqual({ total: 1, sampled: false });
    expect(facets.ram?.values).toEqual([{ value: "16", count: 1 }]);
    expect(facets.storage?.values).toEqual([
      { value: "256", count: 1 },
      { value: "512", count: 1 },
    ]);
  });

  test("pages through the results, each once", async ({ shop, seller }) => {
    for (let index = 0; index < 5; index += 1) await listLaptop(seller, x1);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await searchFor(shop, {
        q: "carbon",
        limit: 2,
        ...(cursor !== null && { cursor }),
      });
      seen.push(...page.items.map(({ _id }) => _id));
      cursor = page.next;
    } while (cursor !== null);
    expect(seen).toHaveLength(5);
    expect(new Set(seen).size).toBe(5);
  });

  test("corrects typing errors, but no known words, short words and numbers", async ({
    shop,
    seller,
  }) => {
    for (const laptop of [x1, weak, mac]) await listLaptop(seller, laptop);
    await refreshVocabulary(shop.deps);
    const answer = await searchFor(shop, { q: "thinkpd cabron" });
    expect(answer.corrected).toEqual([
      { from: "thinkpd", to: "thinkpad" },
      { from: "cabron", to: "carbon" },
    ]);
    expect(answer.items.map(({ product_name }) => product_name)).toEqual([x1.product_name]);
    for (const q of ["lenovo", "air", "t481", "x1"])
      expect((await searchFor(shop, { q })).corrected, q).toEqual([]);
  });

  test("leaves out the narrowest filter if nothing matches, and says which", async ({
    shop,
    seller,
  }) => {
    for (const laptop of [x1, weak, mac]) await listLaptop(seller, laptop);
    const answer = await searchFor(shop, { q: "thinkpad", ram: "64", maxPrice: 500 });
    expect(answer.loosened).toEqual({ filter: "ram", label: "64 GB RAM" });
    expect(answer.total).toBe(2);
    const any = await searchFor(shop, { q: "carbon unobtainium" });
    expect(any.loosened).toEqual({ filter: null, label: "some of your words" });
    expect(any.items).toHaveLength(1);
  });

  test("shows only what is for sale, at once", async ({ shop, seller, buyer }) => {
    const id = await listLaptop(seller);
    expect(await names(shop, { q: "carbon" })).toHaveLength(1);
    const booking = await bookLaptop(buyer, id);
    expect(await names(shop, { q: "carbon" })).toEqual([]);
    await cancelHold(buyer, booking);
    expect(await names(shop, { q: "carbon" })).toHaveLength(1);
    await seller.call(deleteProduct, { params: { id } });
    expect(await names(shop, { q: "carbon" })).toEqual([]);
  });

  test("follows the seller's verification and suspension at once", async ({ shop, admin }) => {
    const seller = await createMember(shop, { accountType: "seller" });
    await listLaptop(seller);
    expect((await searchFor(shop, { verified: "true" })).loosened?.filter).toBe("verified");
    await verifySeller(admin, seller.email);
    expect(await names(shop, { verified: "true" })).toHaveLength(1);
    await admin.call(toggleSuspension, { body: { id: seller.id, suspended: false } });
    expect(await names(shop, {})).toEqual([]);
  });

  test("finds listings that were there before the search, and those whose text was changed", async ({
    shop,
    seller,
  }) => {
    const id = await listLaptop(seller, x1);
    const { db } = shop.deps;
    await db.updateTable("search_documents").set({ version: 0, tokens: "" }).execute();
    expect(await names(shop, {})).toEqual([]);
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

  test("refuses unknown filters and impossible values with a sentence", async ({ shop }) => {
    const cases: [Query, string][] = [
      [{ colour: "red" }, "There is no filter colour."],
      [{ ram: "much" }, "ram must be a whole number from 1 to 1024 GB."],
      [{ battery: 101 }, "battery must be a whole number from 1 to 100 %."],
      [{ minPrice: 500, maxPrice: 100 }, "maxPrice can't be less than minPrice."],
      [{ sort: "best" }, "sort must be one of relevance, price, -price, newest, saving."],
      [{ year: "next" }, "year must be a year such as 2021, or a range such as 2019-2022."],
      [{ category: "01935a00-0000-7000-8000-0000000000ff" }, "There is no such category."],
      [{ cursor: "bm9wZQ" }, "There is no such page. Start again from the first one."],
    ];
    for (const [query, message] of cases)
      expect(await errorOf(searchFor(shop, query))).toMatchObject({ status: 400, message });
  });

  test("takes any text for words", async ({ shop, seller }) => {
    await listLaptop(seller, x1);
    for (const q of [
      "'",
      "\\",
      "a' | 'b",
      ":*",
      "constructor",
      "!carbon",
      "💻",
      "((",
      "<->",
      "%",
      "x".repeat(200),
    ])
      expect((await searchFor(shop, { q })).total, q).toBeGreaterThanOrEqual(0);
  });
});

test("GET /suggestions completes the word that is being typed", async ({ shop, seller }) => {
  for (const laptop of [x1, weak, mac]) await listLaptop(seller, laptop);
  await refreshVocabulary(shop.deps);
  const suggest = async (q: string) =>
    (await createVisitor(shop).call(listSuggestions, { query: { q } })).items;
  expect(await suggest("thi")).toEqual([{ text: "thinkpad", kind: "model" }]);
  expect(await suggest("16gb leno")).toEqual([{ text: "16gb lenovo", kind: "brand" }]);
  expect(await suggest("por")).toEqual([{ text: "portland", kind: "word" }]);
  for (const q of ["", "t", "%%", "zzz"]) expect(await suggest(q), q).toEqual([]);
});
