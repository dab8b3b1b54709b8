import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { SearchSort } from "#contract/search.ts";
import {
  type ActiveFilter,
  anyOf,
  highestPriceBucket,
  priceBucket,
  range,
} from "./active-filters.ts";
import type { Sampled } from "./index-query.ts";
import { indexedSample, type SampledListing } from "./listing-sample.ts";
import { placeTokens, type SearchPlace } from "./search-near.ts";

/** So many results are ranked; nobody reads on so far. */
export const mostRanked = 1_000;
/** One in so many documents is in the smallest sample, by a hash of its id. */
export const smallestSample = 256;

/**
 * How an order is read from the best bucket on. No document has a bucket above `last`: each token that is asked for
 * takes time, also one that no document has. `key` is a column, or what `join` adds.
 */
export type Order = {
  token: string;
  last: number;
  bucket: RawBuilder<unknown>;
  key: RawBuilder<unknown>;
  /** The key as a number. */
  value: RawBuilder<unknown>;
  /** Whether the key is at least as good as a value. */
  isBetter: (value: number) => RawBuilder<SqlBool>;
  /** Bucket and value of a listing of the sample. */
  of: (one: SampledListing) => { key: number; value: number };
  down: boolean;
  join?: RawBuilder<unknown>;
};

const orders: Record<Exclude<SearchSort, "distance">, Order> = {
  relevance: {
    ...{ token: "quality", last: 63, down: true },
    ...{ bucket: sql`d.quality / 16`, key: sql`d.quality`, value: sql`d.quality` },
    isBetter: (value) => sql<SqlBool>`d.quality >= ${value}::smallint`,
    of: ({ quality }) => ({ key: quality >> 4, value: quality }),
  },
  price: {
    token: "price",
    last: highestPriceBucket,
    bucket: sql`search_price_bucket(d.price_cents)`,
    ...{ key: sql`d.price_cents`, value: sql`d.price_cents` },
    isBetter: (value) => sql<SqlBool>`d.price_cents <= ${value}::integer`,
    of: ({ priceCents }) => ({ key: priceBucket(priceCents / 100), value: priceCents }),
    down: false,
  },
  "-price": {
    token: "price",
    last: highestPriceBucket,
    bucket: sql`search_price_bucket(d.price_cents)`,
    ...{ key: sql`d.price_cents`, value: sql`d.price_cents` },
    isBetter: (value) => sql<SqlBool>`d.price_cents >= ${value}::integer`,
    of: ({ priceCents }) => ({ key: priceBucket(priceCents / 100), value: priceCents }),
    down: true,
  },
  newest: {
    token: "posted",
    last: 511,
    bucket: sql`search_posted_bucket(d.posted_at)`,
    key: sql`d.posted_at`,
    value: sql`extract(epoch from d.posted_at)`,
    isBetter: (value) => sql<SqlBool>`d.posted_at >= to_timestamp(${value}::float8)`,
    of: ({ postedAt }) => ({ key: postedBucket(postedAt), value: postedAt }),
    down: true,
  },
  saving: {
    ...{ token: "saving", last: 51, down: true },
    ...{ bucket: sql`d.saving / 2`, key: sql`d.saving`, value: sql`d.saving` },
    isBetter: (value) => sql<SqlBool>`d.saving >= ${value}::smallint`,
    of: ({ saving }) => ({ key: saving >> 1, value: saving }),
  },
};

/** `distance` needs a place. */
export function orderOf(sort: SearchSort, place: SearchPlace | undefined): Order {
  if (sort !== "distance") return orders[sort];
  const nearby = place?.nearby ?? [];
  const ids = nearby.map(({ id }) => id);
  const distances = nearby.map(({ km }) => km);
  const kmOf = new Map(nearby.map(({ id, km }) => [id, km]));
  return {
    ...{ token: "place", last: 0, bucket: sql`d.place`, key: sql`town.km`, down: false },
    ...{ value: sql`town.km`, isBetter: (value) => sql<SqlBool>`town.km <= ${value}::real` },
    of: ({ place }) => ({ key: place, value: kmOf.get(place) ?? 0 }),
    join: sql`left join unnest(${ids}::integer[], ${distances}::real[]) as town (id, km) on town.id = d.place`,
  };
}

/**
 * So many of the sample that it is nearly certain that they stand for a page's documents. What is ranked need not be
 * exactly so many.
 */
function samplesFor(documents: number): number {
  return Math.ceil(documents / smallestSample) + (documents < mostRanked ? 4 : 2);
}

/**
 * What the best `wanted` of the documents have in common, as a condition for each of them; undefined if the sample
 * has too few to say it.
 */
export function isAmongBest(sample: Sampled[], asked: Wanted): RawBuilder<SqlBool> | undefined {
  const least = worstOfBest(sample, asked);
  return least === undefined ? undefined : asked.order.isBetter(least);
}

type Wanted = { order: Order; wanted: number };

function worstOfBest(sample: Sampled[], { order, wanted }: Wanted): number | undefined {
  const values = sample.map(({ value }) => value).sort((a, b) => (order.down ? b - a : a - b));
  return values[samplesFor(wanted)];
}

/** How many listings are read in this order until the best are found; a range of prices is read by itself. */
export function readInOrder(
  passing: Sampled[],
  {
    listings,
    filters,
    order,
    wanted,
  }: Wanted & { listings: SampledListing[]; filters: ActiveFilter[] },
): number {
  const least = worstOfBest(passing, { order, wanted });
  if (least === undefined || order.join) return Number.POSITIVE_INFINITY;
  const range = order.token === "price" && filters.find(({ name }) => name === "price");
  const better = listings.filter((one) => {
    const { value } = order.of(one);
    return (order.down ? value >= least : value <= least) && (!range || range.passes?.(one));
  });
  return better.length * indexedSample;
}

function postedBucket(seconds: number): number {
  return Math.max(0, Math.floor((seconds - 1_577_836_800) / 691_200));
}

/** Tokens that the best documents have, and whether one of the sample has them. */
type Within = { tokens: string; has: (one: Sampled) => boolean };

/** The buckets that hold the best `wanted` of many documents, of which these are a sample. */
export function withinBest(
  sample: Sampled[],
  { order, place, wanted }: { order: Order; place: SearchPlace | undefined; wanted: number },
): Within {
  const needed = samplesFor(wanted);
  if (order.token === "place") return withinNearest(sample, { place, needed });
  return bestBuckets(
    sample.map(({ key }) => key),
    { order, needed },
  );
}

function bestBuckets(
  keys: number[],
  { order, needed }: { order: Pick<Order, "token" | "last" | "down">; needed: number },
): Within {
  const { token, last, down } = order;
  const sorted = keys.toSorted((a, b) => (down ? b - a : a - b));
  const end = sorted[Math.min(needed, sorted.length - 1)] ?? 0;
  return {
    tokens: anyOf(down ? range(token, end, last) : range(token, 0, end)),
    has: ({ key }) => (down ? key >= end : key <= end),
  };
}

/** The towns up to one that, with those before it, has enough; of that one the best listings. */
function withinNearest(
  sample: Sampled[],
  { place, needed }: { place: SearchPlace | undefined; needed: number },
): Within {
  const nearby = place?.nearby ?? [];
  const byTown = Map.groupBy(sample, ({ key }) => key);
  let counted = 0;
  const end = nearby.findIndex(({ id }) => {
    counted += byTown.get(id)?.length ?? 0;
    return counted > needed;
  });
  const towns = end < 0 ? nearby : nearby.slice(0, end);
  const last = end < 0 ? [] : (byTown.get(nearby[end]?.id ?? 0) ?? []);
  const best = bestBuckets(
    last.map(({ quality }) => quality),
    { order: orders.relevance, needed },
  );
  const ofLast = nearby.slice(end, end + 1).map((town) => anyOf(placeTokens([town])));
  const query = [
    ...(towns.length > 0 ? [anyOf(placeTokens(towns))] : []),
    ...ofLast.map((town) => (last.length > needed ? `(${town} & ${best.tokens})` : town)),
  ];
  const inner = new Set(towns.map(({ id }) => id));
  return {
    tokens: `(${query.join(" | ")})`,
    has: ({ key, quality }) =>
      inner.has(key) ||
      (end >= 0 &&
        key === nearby[end]?.id &&
        best.has({ failed: 0, key: quality, quality, place: key, value: 0 })),
  };
}
