import { sql } from "kysely";
import { expect } from "vitest";
import type { Tx } from "../../db/database.ts";
import { shopTest } from "../../testing/fixtures.ts";
import { activeFilters, type SearchFilters } from "./active-filters.ts";
import type { Counted } from "./count-codes.ts";
import { runSearch } from "./run-search.ts";
import { foldSearchCounts, storedCounts } from "./stored-counts.ts";

const test = shopTest();

const filters: SearchFilters[] = [
  {},
  { ram: [16] },
  { ram: [8, 16, 32] },
  { storage: [512] },
  { condition: ["Good", "Fair"] },
  { verified: true },
  { year: { from: 2020 } },
  { year: { from: 2019, to: 2021 } },
  { battery: 80 },
  { screen: [13, 14] },
  { cpu: ["i5", "i7"] },
  { category: [1, 2] },
  // Nothing passes.
  { ram: [96] },
];

test("counting stored and changed listings is counting all, while others write, read and fold", async ({
  shop,
  seller,
}) => {
  const { db } = shop.deps;
  let writing = true;
  const write = async (writer: number) => {
    for (let round = 0; round < 4; round += 1)
      await db.transaction().execute(async (tx) => {
        await insertLaptops(tx, { seller: seller.id, from: (writer * 4 + round) * 4 });
        await sql`update products set sales_status = 'booked' where id in (${anyListing(1)})`.execute(
          tx,
        );
        await sql`update products set condition = 'Fair', year_of_purchase = 2016 where id in (${anyListing(2)})`.execute(
          tx,
        );
        await sql`delete from search_documents where product_id in (${anyListing(1)})`.execute(tx);
        await sql`savepoint undone`.execute(tx);
        await sql`update search_documents set ram = 64 where product_id in (${anyListing(3)})`.execute(
          tx,
        );
        if (round % 3 === 0) await sql`rollback to undone`.execute(tx);
      });
  };
  const fold = async () => {
    while (writing) await sql`select fold_search_counts(7)`.execute(db);
  };
  const differences: unknown[] = [];
  const compare = async () => {
    while (writing)
      await db
        .transaction()
        .setIsolationLevel("repeatable read")
        .execute(async (tx) => differences.push(...(await differencesOf(tx))));
  };
  const others = [fold(), fold(), compare()];
  await Promise.all([0, 1, 2].map(write)).finally(() => {
    writing = false;
  });
  await Promise.all(others);
  expect(differences).toEqual([]);
  await foldSearchCounts(shop.deps);
  expect(await differencesOf(db)).toEqual([]);
  const left = await db.selectFrom("search_count_deltas").select("id").execute();
  expect(left).toEqual([]);
  const total = (await storedCounts(db, undefined))?.find(({ facet }) => facet === "all");
  expect(total?.passed).toBeGreaterThan(10);
});

function anyListing(count: number) {
  return sql`select product_id from search_documents where listed order by random() limit ${sql.lit(count)}
    for update skip locked`;
}

async function insertLaptops(tx: Tx, { seller, from }: { seller: string; from: number }) {
  await sql`
    insert into products (id, category_id, seller_id, product_name, condition, resale_cents, original_cents,
      use_duration, location, year_of_purchase, mobile_number, description, img, posted_at)
    select gen_random_uuid(), (select id from categories order by position offset n % 3 limit 1), ${seller},
      'ThinkPad', (array['Excellent', 'Good', 'Fair'])[1 + n % 3]::condition, 10000 + n * 700, 200000, 24, 'Leeds',
      2017 + n % 7, '5550123', 'As good as it looks.', '/images/none.jpg', now()
    from generate_series(${from}::integer, ${from + 3}::integer) as n`.execute(tx);
  await sql`
    update search_documents set version = 3, ram = (array[8, 16, 32, null])[1 + price_cents / 700 % 4],
      storage = (array[256, 512])[1 + price_cents / 1400 % 2], processor = 1 + price_cents / 700 % 5,
      screen = 130 + price_cents / 700 % 30, battery = 70 + price_cents / 700 % 31, place = 5
    where version = 0`.execute(tx);
}

/** Counts of a search that are not those of reading every listing. */
async function differencesOf(tx: Tx): Promise<unknown[]> {
  const differences: unknown[] = [];
  for (const one of filters) {
    const active = activeFilters(one);
    const page = { offset: 0, limit: 1 };
    const exact = await runSearch(tx, {
      ...{ words: undefined, sort: "relevance", place: undefined, page },
      filters: active,
    });
    const stored = await storedCounts(tx, active[0]?.keys);
    if (stored === undefined || active.length !== Object.keys(one).length)
      differences.push({ one, stored });
    const [all, found] = [exact.counts, stored ?? []].map((counts) =>
      readable(counts, active[0]?.name),
    );
    if (JSON.stringify(all) !== JSON.stringify(found)) differences.push({ one, all, found });
  }
  return differences;
}

/** Of the facet in use also what fails it. */
function readable(counts: Counted[], used: string | undefined): string[] {
  return counts
    .filter(({ facet }) => facet !== "near")
    .map(({ facet, value, passed, failed }) => {
      const others = facet === used || facet === "all" ? (failed[0] ?? 0) : 0;
      return { facet, value, passed, others };
    })
    .filter(({ passed, others }) => passed + others > 0)
    .map(({ facet, value, passed, others }) => `${facet} ${value}: ${passed}, ${others}`)
    .sort();
}
