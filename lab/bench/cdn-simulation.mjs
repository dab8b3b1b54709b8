import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readProduct, similarCount } from "../../contract/laptops.ts";
import { finish, root } from "../../scripts/run.mjs";
import { hashed, randomNumbers, zipf } from "./zipf.mjs";

/** The categories of a new shop, skewed as in lab/bench/fill.sql. */
const categories = 12;
/** Laptops on a list page, plus the first laptop of the next page (contract/products.ts). */
const onPage = 25;
/**
 * The same values as in `server/public-cache/purge-cdn.ts`: the time between batches, the delay of
 * the second purge, and the number of tags above which everything is purged.
 */
const purging = { batchMs: 100, againMs: 2_000, mostTags: 200 };
/** Assumed shares of page views. A CDN never caches searches, so all searches reach the shop. */
const mix = { home: 0.1, category: 0.25, laptop: 0.5, seller: 0.05, search: 0.1 };
const seed = 20_261_123;

/**
 * Writes per booking, as in lab/bench/fill.sql: three of four bookings sell, and a new listing
 * replaces each sold laptop, so the stock stays constant. The triggers record these tags
 * (server/db/schema).
 */
const writes = [
  { what: "hold", perBooking: 1, tags: ({ product }) => [product] },
  { what: "sale", perBooking: 0.75, tags: ({ product, seller }) => [product, seller] },
  {
    what: "end of a hold",
    perBooking: 0.2,
    tags: ({ product, category, listings, advertised }) => [
      product,
      category,
      listings,
      advertised,
    ],
  },
  { what: "review", perBooking: 0.35, tags: ({ seller }) => [seller] },
  {
    what: "listing",
    perBooking: 0.75,
    tags: ({ category, listings, advertised }) => [category, listings, advertised],
  },
  { what: "price change", perBooking: 0.25, tags: ({ product }) => [product] },
];

/**
 * Simulates one CDN location in front of a shop with `views` page views and `bookings` a second.
 * The popularity of laptops follows Zipf's law. The first `seconds` fill the cache, and only the
 * next `measured` seconds count. Returns views and hits by kind of page, and the number of full
 * purges. `laptopSeconds`: how long a laptop's page is cached.
 */
export function simulate({
  laptops,
  views,
  bookings,
  exponent,
  seconds,
  measured,
  laptopSeconds = readProduct.maxAge.cdnSeconds,
}) {
  const random = randomNumbers(seed);
  const shop = shopOf(laptops, zipf(laptops, exponent, random), random);
  const purges = purger();
  const cache = { laptops: new Uint32Array(laptops), lists: new Map() };
  const due = writes.map(({ perBooking }) => ({ every: 1_000 / (bookings * perBooking), at: 0 }));
  for (const one of due) one.at = one.every * random();
  const counted = Object.fromEntries(Object.keys(mix).map((name) => [name, { views: 0, hits: 0 }]));
  const end = (seconds + measured) * 1_000;
  const every = 1_000 / views;
  for (let number = 1; number * every < end; number += 1) {
    const now = number * every;
    for (const [index, one] of due.entries())
      for (; one.at <= now; one.at += one.every)
        purges.changed(
          writes[index].tags(shop.changed()).filter((tag) => tag !== undefined),
          one.at,
        );
    purges.until(now);
    const { name, page, tags } = shop.viewed();
    const kept = name === "laptop" ? Math.min(seconds, laptopSeconds) : seconds;
    const isHit = name !== "search" && visit(cache, { page, tags, now, seconds: kept, purges });
    if (now < seconds * 1_000) continue;
    counted[name].views += 1;
    if (isHit) counted[name].hits += 1;
  }
  return { counted, purgedAll: purges.purgedAll() };
}

/** Returns whether the page is cached and hasn't been purged. Otherwise, caches the page. */
function visit({ laptops, lists }, { page, tags, now, seconds, purges }) {
  const isLaptop = typeof page === "number";
  const kept = (isLaptop ? laptops[page] : lists.get(page)) ?? 0;
  const isHit = kept > 0 && now - kept < seconds * 1_000 && !purges.since(tags, kept);
  if (isHit) return true;
  if (isLaptop) laptops[page] = Math.ceil(now);
  else lists.set(page, Math.ceil(now));
  return false;
}

/**
 * The views and changes of a shop. Laptops are numbered by popularity. Tags are numbers, too: first
 * the laptops, then the sellers, the sellers' lists, the categories, and two lists on Home.
 */
function shopOf(laptops, popular, random) {
  const sellers = Math.ceil(laptops * 0.06);
  const categoryOf = (laptop) => Math.floor(hashed(laptop, 1) ** 2 * categories);
  const sellerOf = (laptop) => Math.floor(hashed(laptop, 2) ** 3 * sellers);
  const tag = {
    seller: (laptop) => laptops + sellerOf(laptop),
    listings: (laptop) => laptops + sellers + sellerOf(laptop),
    category: (category) => laptops + 2 * sellers + category,
    advertised: laptops + 2 * sellers + categories,
    categories: laptops + 2 * sellers + categories + 1,
  };
  const listed = (of, count) =>
    Array.from({ length: count }, (_, place) => Math.floor(hashed(of, place + 10) * laptops));
  const known = new Map();
  const list = (page, tagsOf) => {
    const kept = known.get(page) ?? { page, tags: tagsOf() };
    known.set(page, kept);
    return kept;
  };
  const pages = {
    home: () => list("home", () => [tag.categories, tag.advertised, ...listed(-1, onPage)]),
    category() {
      // Half of the readers continue to the next page of a list.
      const [category, number] = [categoryOf(popular()), Math.floor(-Math.log2(1 - random()))];
      const products = () => listed(-100 - category * 100 - number, onPage);
      return list(`category ${category} ${number}`, () => [tag.category(category), ...products()]);
    },
    laptop() {
      const laptop = popular();
      const tags = [laptop, tag.seller(laptop), ...listed(laptop, similarCount)];
      return { page: laptop, tags };
    },
    seller() {
      const laptop = popular();
      const tags = () => [
        tag.seller(laptop),
        tag.listings(laptop),
        ...listed(-1e6 - sellerOf(laptop), 16),
      ];
      return list(`seller ${sellerOf(laptop)}`, tags);
    },
    search: () => ({ page: "search", tags: [] }),
  };
  return {
    changed() {
      const laptop = popular();
      return {
        product: laptop,
        category: tag.category(categoryOf(laptop)),
        seller: tag.seller(laptop),
        listings: tag.listings(laptop),
        advertised: random() < 0.05 ? tag.advertised : undefined,
      };
    },
    viewed() {
      let share = random();
      for (const [name, part] of Object.entries(mix)) {
        share -= part;
        if (share < 0) return { name, ...pages[name]() };
      }
      return { name: "search", ...pages.search() };
    },
  };
}

/** Purges tags in batches, each tag twice. If a batch has too many tags, purges everything. */
function purger() {
  const purgedAt = new Map();
  const waiting = { first: [], again: [] };
  let [allAt, allCount, next] = [-1, 0, purging.batchMs];
  const take = (queue, until, delay, batch) => {
    let taken = 0;
    for (; taken < queue.length && queue[taken].at + delay <= until; taken += 1)
      for (const tag of queue[taken].tags) batch.add(tag);
    queue.splice(0, taken);
  };
  return {
    changed(tags, at) {
      waiting.first.push({ tags, at });
      waiting.again.push({ tags, at });
    },
    until(now) {
      for (; next <= now; next += purging.batchMs) {
        const batch = new Set();
        take(waiting.first, next, 0, batch);
        take(waiting.again, next, purging.againMs, batch);
        if (batch.size > purging.mostTags) [allAt, allCount] = [next, allCount + 1];
        else for (const tag of batch) purgedAt.set(tag, next);
      }
    },
    since: (tags, kept) => allAt >= kept || tags.some((tag) => (purgedAt.get(tag) ?? -1) >= kept),
    purgedAll: () => allCount,
  };
}

/** The hit rate of each kind of page, and the requests from all locations that reach the shop. */
export function rowOf(shop) {
  const { counted, purgedAll } = simulate({ ...shop, views: shop.views / shop.locations });
  const kinds = Object.entries(counted);
  const missed = kinds.reduce((sum, [, { views, hits }]) => sum + views - hits, 0);
  const seen = kinds.reduce((sum, [, { views }]) => sum + views, 0);
  const percent = (part, whole) => Number(((100 * part) / whole).toFixed(1));
  return {
    ...shop,
    hits: Object.fromEntries(kinds.map(([name, { views, hits }]) => [name, percent(hits, views)])),
    allHits: percent(seen - missed, seen),
    requests: Number(((missed / shop.measured) * shop.locations).toPrecision(3)),
    purgedAll,
  };
}

const time = { seconds: 3_600, measured: 900 };
const sizes = [
  { laptops: 10_000, views: 10, bookings: 0.01 },
  { laptops: 1_000_000, views: 1_000, bookings: 1 },
  { laptops: 10_000_000, views: 3_000, bookings: 10 },
  { laptops: 100_000_000, views: 10_000, bookings: 100 },
].map((size) => ({ ...size, exponent: 0.8, ...time }));
const largest = sizes.at(-1);

/**
 * The shops in docs/scale.md. A test simulates the first two shops to check the committed figures.
 */
export const shops = [
  ...sizes.flatMap((size) => [1, 20].map((locations) => ({ ...size, locations }))),
  ...[0.6, 1.01].map((exponent) => ({ ...largest, exponent, locations: 20 })),
];

/**
 * `npm run bench:cdn`: simulates what share of requests for public pages a CDN serves from its
 * cache. Writes lab/bench/cdn-simulation.json for docs/scale.md.
 */
if (import.meta.main)
  await finish(async () => {
    const rows = shops.map((shop) => {
      const row = rowOf(shop);
      console.log(row);
      return row;
    });
    writeFileSync(
      join(root, "lab/bench/cdn-simulation.json"),
      `${JSON.stringify(rows, null, 2)}\n`,
    );
    return 0;
  });
