import { describe, expect } from "vitest";
import { listCategories } from "#contract/categories.ts";
import { listSellerProducts } from "#contract/products.ts";
import { shopTest } from "../../testing/fixtures.ts";
import { listing } from "../../testing/marketplace.ts";
import { anyCategory, createVisitor, errorOf, member } from "../../testing/people.ts";

const test = shopTest();

describe("pagination", () => {
  test("pages return every product once, newest first", async ({ shop }) => {
    const another = await member(shop, { accountType: "seller" });
    const sold: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      shop.clock.advance(1);
      sold.unshift(await listing(another));
    }
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const query = { limit: 2, ...(cursor !== undefined && { cursor }) };
      const page = await another.send(listSellerProducts, {
        params: { email: another.email },
        query,
      });
      seen.push(...page.body.map(({ _id }) => _id));
      cursor = page.next;
    } while (cursor !== undefined);
    expect(seen).toEqual(sold);
  });

  test("an invalid cursor or a limit out of range returns 400", async ({ seller }) => {
    const params = { email: seller.email };
    for (const query of [{ cursor: "bm9wZQ" }, { limit: 0 }, { limit: 101 }]) {
      expect(await errorOf(seller.call(listSellerProducts, { params, query }))).toMatchObject({
        status: 400,
      });
    }
  });
});

describe("public reads", () => {
  test("a public read has an ETag, and returns 304 for that ETag until the content changes", async ({
    shop,
    seller,
  }) => {
    const url = `${shop.url}/api/categoryProducts/${await anyCategory(shop)}`;
    const first = await fetch(url);
    const etag = first.headers.get("etag") ?? "";
    expect((await fetch(url, { headers: { "if-none-match": etag } })).status).toBe(304);
    await listing(seller);
    const status = async () => (await fetch(url, { headers: { "if-none-match": etag } })).status;
    await expect.poll(status).toBe(200);
  });

  test("§7.6 §3.1: anyone can list the categories, at least eight, each with a name and a logo", async ({
    shop,
  }) => {
    const categories = await createVisitor(shop).call(listCategories, {});
    expect(categories.length).toBeGreaterThanOrEqual(8);
    expect(categories[0]).toEqual({
      _id: expect.any(String),
      product_category: expect.any(String),
      brandImg: expect.stringMatching(/^http:\/\/.+\/brands\/.+\.svg$/),
    });
  });
});
