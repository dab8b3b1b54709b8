import { sql } from "kysely";
import { describe, expect, onTestFinished } from "vitest";
import { type SearchAnswer, type SearchSort, search as searchCall } from "#contract/search.ts";
import { shopTest } from "../../testing/fixtures.ts";
import { createVisitor, errorOf } from "../../testing/people.ts";
import { openShop, type Shop } from "../../testing/shop.ts";
import { documentVersion } from "../search-index/listing-document.ts";

/** Enough laptops for a broad search. The ids, and therefore the sample, are always the same. */
const laptops = 8_000;

const test = shopTest().extend(
  "filled",
  { auto: true, scope: "file" },
  async ({ shop, seller }) => {
    const { db } = shop.deps;
    await sql`
    insert into products (id, category_id, seller_id, product_name, condition, resale_cents, original_cents,
      use_duration, location, year_of_purchase, mobile_number, description, img, posted_at)
    select ('01935a00-0000-7000-9000-' || lpad(to_hex(n), 12, '0'))::uuid, (select id from categories order by position limit 1), ${seller.id}, 'ThinkPad',
      (array['Excellent', 'Good', 'Fair'])[1 + n % 3]::condition, 10000 + n * 7919 % 190000, 200000, 24, 'Leeds',
      2015 + n % 10, '5550123', 'As good as it looks.', '/images/none.jpg', now() - n * interval '1 minute'
    from generate_series(1, ${laptops}::integer) as n`.execute(db);
    await sql`
    update search_documents set version = ${documentVersion}, ram = (array[8, 16, 16, 32])[1 + price_cents % 4],
      tokens = tokens || (case when price_cents % 5 = 0 then '''thinkpad'':1A ''rare'':1D' else '''thinkpad'':1A' end)::tsvector
      || ('''ram' || (array[8, 16, 16, 32])[1 + price_cents % 4] || 'gb'':1B')::tsvector`.execute(
      db,
    );
    await sql`analyze search_documents`.execute(db);
  },
);

type Query = Record<string, string | number>;

async function pagesOf(shop: Shop, query: Query, count: number): Promise<SearchAnswer[]> {
  const pages: SearchAnswer[] = [];
  let cursor: string | null = null;
  do {
    const page: SearchAnswer = await createVisitor(shop).call(searchCall, {
      query: { limit: 90, ...query, ...(cursor !== null && { cursor }) },
    });
    pages.push(page);
    cursor = page.next;
  } while (cursor !== null && pages.length < count);
  return pages;
}

const idsOf = (pages: SearchAnswer[]) => pages.flatMap(({ items }) => items.map(({ _id }) => _id));

const orders: [SearchSort, string][] = [
  ["relevance", "quality desc"],
  ["price", "price_cents"],
  ["-price", "price_cents desc"],
  ["newest", "posted_at desc"],
  ["saving", "saving desc"],
];

describe("a search with many matches", () => {
  test.for(orders)(
    "a broad search sorted by %s shows the matches in order across pages",
    async ([sort, order], { shop }) => {
      const pages = await pagesOf(shop, { ram: 16, sort }, 12);
      const { rows } = await sql<{ product_id: string }>`
      select product_id from search_documents where ram = 16
      order by ${sql.raw(order)}, quality desc, product_id desc limit 2000`.execute(shop.deps.db);
      const shown = idsOf(pages);
      expect(pages[0]?.sampled).toBe(true);
      expect(shown.length).toBeGreaterThan(700);
      expect(shown).toEqual(rows.slice(0, shown.length).map(({ product_id }) => product_id));
    },
  );

  test("a broad search for a word shows each result once", async ({ shop }) => {
    const shown = idsOf(await pagesOf(shop, { q: "thinkpad" }, 12));
    expect(shown.length).toBeGreaterThan(700);
    expect(new Set(shown).size).toBe(shown.length);
  });

  test("a broad search's estimated counts are within three standard deviations of the exact counts, and no count comes from fewer than three sampled listings", async ({
    shop,
  }) => {
    const [page] = await pagesOf(shop, { q: "thinkpad", ram: 16 }, 1);
    const counted = page?.facets.condition?.values ?? [];
    const deviations = (counts: { estimate: number; exact: number }) =>
      Math.abs(counts.estimate - counts.exact) / Math.sqrt(64 * counts.exact);
    expect(deviations({ estimate: page?.total ?? 0, exact: laptops / 2 })).toBeLessThan(3);
    expect(counted).toHaveLength(3);
    for (const { count } of counted)
      expect(deviations({ estimate: count, exact: laptops / 6 })).toBeLessThan(3);
    const minCount = Math.min(...counted.map(({ count }) => count));
    expect(minCount).toBeGreaterThanOrEqual(3 * 64);
    // A facet in use shows the chosen value and the other values.
    expect(page?.facets.ram?.values.map(({ value }) => value)).toEqual(["8", "16", "32"]);
  });

  test("a search with few matches returns an exact count", async ({ shop }) => {
    const query = { q: "rare", ram: 16, maxPrice: 200 };
    const [page] = await pagesOf(shop, query, 1);
    const { rows } = await sql<{ count: string }>`
      select count(*) from search_documents
      where price_cents % 5 = 0 and ram = 16 and price_cents <= 20000`.execute(shop.deps.db);
    expect(page).toMatchObject({ sampled: false, total: Number(rows[0]?.count) });
  });

  test("a search without matches drops the filter that hides the most laptops", async ({
    shop,
  }) => {
    const [page] = await pagesOf(shop, { q: "rare", storage: 512, maxPrice: 101 }, 1);
    expect(page?.loosened).toMatchObject({ filter: "storage" });
    expect(page?.total).toBeGreaterThan(0);
  });

  test("a search that takes too long returns 503 and asks for another word or filter", async ({
    shop,
  }) => {
    const hasty = await openShop({ beside: shop, env: { SEARCH_TIMEOUT: "100" } });
    onTestFinished(() => hasty.close());
    const blocker = await shop.pool.connect();
    await blocker.query("begin; lock table search_documents in access exclusive mode");
    const refused = await errorOf(pagesOf(hasty, { q: "thinkpad" }, 1));
    await blocker.query("rollback");
    blocker.release();
    expect(refused).toMatchObject({
      status: 503,
      message: "That is too broad to search now. Add a word or a filter.",
    });
  });

  test.for([
    ["an end that isn't a number", '[0,{"after":["a",1]}]'],
    ["an offset that no page has", "[50000]"],
    ["a number that is too large", '[0,{"until":[99999999999999,1]}]'],
  ])("a search rejects a cursor with %s", async ([, cursor], { shop }) => {
    const query = { q: "thinkpad", cursor: Buffer.from(String(cursor)).toString("base64url") };
    const message = "There is no such page. Start again from the first one.";
    expect(await errorOf(pagesOf(shop, query, 1))).toMatchObject({ status: 400, message });
  });
});
