import { sql } from "kysely";
import { describe, expect } from "vitest";
import { listCategories } from "#contract/categories.ts";
import { listing } from "../../testing/marketplace.ts";
import { createVisitor, errorOf } from "../../testing/people.ts";
import { mac, names, type Query, searchFor, searchTest, weak, x1 } from "../../testing/searches.ts";
import { captureStatements } from "../../testing/statements.ts";

const test = searchTest();

describe("GET /search", () => {
  test("a search filters and sorts listings, and counts the results for each value of a filter", async ({
    shop,
    seller,
  }) => {
    for (const laptop of [x1, weak, mac]) await listing(seller, laptop);
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

  test("after PostgreSQL has analyzed a small shop's tables, a search reads all listings instead of a sample", async ({
    shop,
    seller,
  }) => {
    for (const laptop of [x1, weak, mac]) await listing(seller, laptop);
    const sampled = [];
    const { statements } = captureStatements(shop.pool);
    for (const statement of ["select 1", "analyze search_documents"]) {
      await sql.raw(statement).execute(shop.deps.db);
      statements.clear();
      expect(await names(shop, { ram: "16", sort: "price" })).toEqual([
        weak.product_name,
        x1.product_name,
      ]);
      sampled.push([...statements.keys()].some((text) => text.includes("where d.sampled")));
    }
    expect(sampled).toEqual([true, false]);
  });

  test("a search finds laptops near a town, nearest first, and offers other towns with the same name", async ({
    shop,
    seller,
  }) => {
    const places = [
      "Portland, OR",
      "Salem, Oregon",
      "Portland, ME",
      "Behind the station",
      "Vancouver, WA",
    ];
    for (const location of places) await listing(seller, { ...x1, location });
    const near = await searchFor(shop, { near: "portland", within: 100, sort: "distance" });
    expect(near.items.map(({ location, distance }) => [location, distance])).toEqual([
      ["Portland, OR", 0],
      ["Vancouver, WA", 13],
      ["Salem, Oregon", 70],
    ]);
    expect(near.place).toEqual({
      name: "Portland, Oregon",
      within: 100,
      others: ["Portland, Maine", "Portland, Texas", "Portland, England"],
    });
    expect(near.facets.near?.values).toContainEqual({ value: "Portland, Maine", count: 1 });
    const sentence = await searchFor(shop, { q: "carbon within 10 miles of Portland" });
    expect(sentence.filters.map(({ label }) => label)).toEqual([
      "within 10 miles of Portland, Oregon",
    ]);
    expect(sentence.total).toBe(2);
    const wider = await searchFor(shop, { q: "carbon near Portland", within: 100 });
    const label = "within 60 miles of Portland, Oregon";
    expect(wider.filters).toEqual([{ filter: "near", label, values: [], rest: "carbon" }]);
    const between = await searchFor(shop, { q: "carbon over $300", maxPrice: 500 });
    expect(between.filters).toMatchObject([{ label: "$300 to $500", rest: "carbon" }]);
    const other = await searchFor(shop, { q: "carbon under $300", maxPrice: 500 });
    expect(other.filters).toMatchObject([{ label: "up to $500", rest: null }]);
    expect((await searchFor(shop, { near: "the station" })).total).toBe(1);
    expect((await searchFor(shop, { near: "Portland, Maine" })).total).toBe(1);
  });

  test("paging through the results shows each result once", async ({ shop, seller }) => {
    for (let index = 0; index < 5; index += 1) await listing(seller, x1);
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

  test("if nothing matches, a search drops a filter or requires only some of the words, and says so", async ({
    shop,
    seller,
  }) => {
    for (const laptop of [x1, weak, mac]) await listing(seller, laptop);
    const answer = await searchFor(shop, { q: "thinkpad", ram: "64", maxPrice: 500 });
    expect(answer.loosened).toEqual({ filter: "ram", label: "64 GB RAM", missing: [] });
    expect(answer.total).toBe(2);
    const any = await searchFor(shop, { q: "carbon unobtainium" });
    const label = "some of your words";
    expect(any.loosened).toEqual({ filter: null, label, missing: ["unobtainium"] });
    expect(any.items).toHaveLength(1);
    const both = await searchFor(shop, { q: "carbon macbook" });
    expect(both.loosened).toEqual({ filter: null, label, missing: [] });
  });

  test("a search with only excluded words finds all other laptops, and contradictory price filters are dropped", async ({
    shop,
    seller,
  }) => {
    for (const laptop of [x1, mac]) await listing(seller, laptop);
    expect(await names(shop, { q: "-carbon" })).toEqual([mac.product_name]);
    expect((await searchFor(shop, { q: "-carbon -macbook" })).total).toBe(0);
    const { total, loosened } = await searchFor(shop, { minPrice: 500, q: "under $300" });
    expect({ total, loosened }).toMatchObject({ total: 2, loosened: { filter: "price" } });
  });

  test("a search sorted by distance drops the town filter if no laptop is near", async ({
    shop,
    seller,
  }) => {
    await listing(seller, x1);
    const far = await searchFor(shop, { near: "Berlin", within: 10, sort: "distance" });
    expect(far.loosened).toMatchObject({ filter: "near" });
    expect(far.items).toHaveLength(1);
  });

  test("a search returns all twelve facets, even with every filter in use", async ({
    shop,
    seller,
  }) => {
    await listing(seller, x1);
    const [category] = await createVisitor(shop).call(listCategories, {});
    const all = { ram: 16, storage: 512, cpu: "i7", gpu: "iris", screen: 14, battery: 80 };
    const { facets } = await searchFor(shop, {
      ...all,
      category: String(category?._id),
      maxPrice: 500,
      condition: "Excellent,Good,Fair",
      year: "2000-2030",
      verified: "true",
      near: "Portland, OR",
    });
    expect(Object.keys(facets)).toHaveLength(12);
  });

  test("unknown filters and impossible values return 400 with a message", async ({ shop }) => {
    const cases: [Query, string][] = [
      [{ colour: "red" }, "There is no filter colour."],
      [{ ram: "much" }, "ram must be a whole number from 1 to 1024 GB."],
      [{ battery: 101 }, "battery must be a whole number from 1 to 100 %."],
      [{ minPrice: -1 }, "The lowest price must be an amount from 0 to $1,000,000, such as 450."],
      [
        { maxPrice: "abc" },
        "The highest price must be an amount from 0 to $1,000,000, such as 450.",
      ],
      [{ minPrice: 500, maxPrice: 100 }, "The highest price can't be below the lowest price."],
      [{ sort: "best" }, "sort must be one of relevance, price, -price, newest, saving, distance."],
      [{ year: "next" }, "year must be a year such as 2021, or a range such as 2019-2022."],
      [{ category: "01935a00-0000-7000-8000-0000000000ff" }, "There is no such category."],
      [{ near: "Leeds", within: 501 }, "within must be a whole number from 1 to 500 km."],
      [{ sort: "distance" }, "Distances need near, the name of a town, such as Portland, OR."],
      [
        { near: "Nowhereville", within: 10 },
        "We don't know that town. Write it with its state or country, such as Portland, OR.",
      ],
      [{ cursor: "bm9wZQ" }, "There is no such page. Start again from the first one."],
    ];
    for (const [query, message] of cases)
      expect(await errorOf(searchFor(shop, query))).toMatchObject({ status: 400, message });
  });
});
