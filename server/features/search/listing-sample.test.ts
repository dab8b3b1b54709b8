import { sql } from "kysely";
import { expect } from "vitest";
import { searchSorts } from "#contract/search.ts";
import type { Tx } from "../../db/database.ts";
import { shopTest } from "../../testing/fixtures.ts";
import { activeFilters, type SearchFilters } from "./active-filters.ts";
import type { Counted } from "./count-codes.ts";
import { countSample, probe, probeListings } from "./count-sample.ts";
import { countListings, readSample } from "./listing-sample.ts";
import { orderOf } from "./orders.ts";
import { readBest, runSearch } from "./run-search.ts";
import { resolveNear } from "./search-near.ts";
import type { Asked } from "./search-statements.ts";

const test = shopTest();

const place = resolveNear({ near: "Leeds", within: 50 });
const filters: SearchFilters[] = [
  {},
  { ram: [16] },
  { ram: [8, 32], storage: [512], condition: ["Good", "Fair"] },
  { cpu: ["i5", "i7"], gpu: ["rtx"] },
  { screen: [13, 14.1] },
  { battery: 83, year: { from: 2018, to: 2021 } },
  { minPrice: 200, maxPrice: 900.5, verified: true },
  { category: [1, 2], near: "Leeds", place },
];

test("the listings in memory and those in the database are counted, found and ordered alike", async ({
  shop,
  seller,
}) => {
  const { db } = shop.deps;
  await insertLaptops(db, seller.id);
  const sample = await readSample(db);
  expect(sample.listings.length).toBeGreaterThan(60);
  for (const given of filters)
    for (const sort of searchSorts.filter((one) => one !== "distance" || given.place)) {
      const asked: Asked = {
        ...{ words: undefined, filters: activeFilters(given), sort, place: given.place },
        ...{ page: { offset: 3, limit: 25 }, order: orderOf(sort, given.place) },
      };
      const probed = await probe(db, asked);
      const close = ({ failed, key, quality, place: town, value }: (typeof probed)[number]) =>
        [failed, key, quality, town, Math.round(value)].join();
      expect(probeListings(sample, asked).map(close).sort()).toEqual(probed.map(close).sort());
      // A sample of every sixteenth is enough for all of these.
      const counted = countListings(sample, { filters: asked.filters, size: 16 });
      expect(readable(counted)).toEqual(readable(await countAll(db, asked)));
      if (sort === "distance") continue;
      const { best } = await runSearch(db, asked);
      expect((await readBest(db, asked)).best).toEqual(best);
    }
});

/** Counts the same sample by the statement that reads its rows. */
async function countAll(tx: Tx, asked: Asked): Promise<Counted[]> {
  const each = Array.from({ length: 4_000 / 16 }, () => ({
    failed: 0,
    key: 0,
    quality: 0,
    place: 0,
    value: 0,
  }));
  const counts = await countSample(tx, asked, each);
  return counts.map((one) => ({
    ...one,
    passed: one.passed / 16,
    failed: one.failed.map((count) => count / 16),
  }));
}

function readable(counts: Counted[]): string[] {
  return counts
    .filter(({ passed, failed }) => passed + failed.reduce((sum, one) => sum + one, 0) > 0)
    .map(({ facet, value, passed, failed }) => `${facet} ${value}: ${passed}, ${failed}`)
    .sort();
}

async function insertLaptops(tx: Tx, seller: string): Promise<void> {
  await sql`
    insert into products (id, category_id, seller_id, product_name, condition, resale_cents, original_cents,
      use_duration, location, year_of_purchase, mobile_number, description, img, posted_at)
    select gen_random_uuid(), (select id from categories order by position offset n % 3 limit 1), ${seller},
      'ThinkPad', (array['Excellent', 'Good', 'Fair'])[1 + n % 3]::condition, 5000 + n * 97, 20000 + n * 150, 24,
      'Leeds', 2015 + n % 9, '5550123', 'As good as it looks.', '/images/none.jpg', now() - n * interval '5 hours'
    from generate_series(1, 1600) as n`.execute(tx);
  await sql`
    update search_documents set version = 3, ram = (array[8, 16, 32, null])[1 + price_cents / 97 % 4],
      storage = (array[256, 512])[1 + price_cents / 194 % 2], processor = 1 + price_cents / 97 % 5,
      graphics = case when price_cents % 2 = 0 then 1 + price_cents / 97 % 3 end, screen = 130 + price_cents / 97 % 30,
      battery = case when price_cents % 3 > 0 then 70 + price_cents / 97 % 31 end,
      place = (${[...(place?.nearby ?? []).slice(0, 5).map(({ id }) => id), 5]}::integer[])[1 + price_cents / 97 % 6]
    where version = 0`.execute(tx);
}
