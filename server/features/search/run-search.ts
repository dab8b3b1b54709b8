import { type RawBuilder, type SqlBool, sql } from "kysely";
import { type SearchSort, searchPriceBands } from "#contract/search.ts";
import type { Tx } from "../../db/database.ts";
import { type ActiveFilter, allOf } from "./active-filters.ts";
import { failsAtMostOne, restrictedTo, type WordsQuery } from "./words-query.ts";

export type Search = { words: WordsQuery; filters: ActiveFilter[]; sort: SearchSort };

/** Up to so many matches are counted one by one. */
export const mostCounted = 20_000;
/** So many results are ranked; nobody reads on so far. */
export const mostRanked = 1_000;

/** Every document is in one of 256 samples, by a hash of its id. */
const samples = 256;

/** By the first sample: how many documents pass all filters but one, and in which buckets are those that pass all. */
type Estimate = { documents: number; keys: number[] };

type Best = { all: string | undefined; keys: number[] | undefined };

/** How each order is read from the best bucket on. */
const orders = {
  relevance: { token: "quality", bucket: sql`d.quality / 16`, key: sql`d.quality`, down: true },
  price: {
    token: "price",
    bucket: sql`search_price_bucket(d.price_cents)`,
    key: sql`d.price_cents`,
    down: false,
  },
  "-price": {
    token: "price",
    bucket: sql`search_price_bucket(d.price_cents)`,
    key: sql`d.price_cents`,
    down: true,
  },
  newest: {
    token: "posted",
    bucket: sql`search_posted_bucket(d.posted_at)`,
    key: sql`d.posted_at`,
    down: true,
  },
  saving: { token: "saving", bucket: sql`d.saving / 2`, key: sql`d.saving`, down: true },
} as const;

/** For a value of a facet the documents that pass all filters, and for each filter those that fail only it. */
export type Counted = { facet: string; value: number; passed: number; failed: number[] };

/** `sampled`: `total` is an estimate; `sampledFacets`: so are the counts of the facets in use. */
export type Matches = {
  ids: string[];
  total: number;
  sampled: boolean;
  sampledFacets: boolean;
  counts: Counted[];
};

/** Finds, counts and orders. Each statement reads a bounded number of documents, whatever is searched for. */
export async function runSearch(tx: Tx, search: Search): Promise<Matches> {
  const queries = search.filters.map(({ query }) => query);
  const all = allOf([...(search.words ? [search.words.every] : []), ...queries]) || undefined;
  const base = failsAtMostOne(search.words?.every, search.filters);
  const estimate = await probe(tx, search, base);
  const sampled = estimate.keys.length * samples > mostCounted;
  const sampledFacets = estimate.documents > mostCounted;
  const counts = sampledFacets
    ? await countSample(tx, search, { base, documents: estimate.documents })
    : await count(tx, search, base);
  if (sampledFacets && !sampled) takeExact(counts, await count(tx, search, all));
  const total = counts.find(({ facet }) => facet === "all")?.passed ?? 0;
  const ids =
    total > 0 ? await findBest(tx, search, { all, keys: sampled ? estimate.keys : undefined }) : [];
  return { ids, total, sampled, sampledFacets, counts };
}

type Base = { base: string | undefined; documents: number };

/** Counts a part of the documents, always the same one, of some thousands. */
async function countSample(tx: Tx, search: Search, { base, documents }: Base): Promise<Counted[]> {
  const wanted = Math.floor((samples * 6_000) / documents);
  const size = Math.min(samples / 4, Math.max(1, wanted));
  const tokens = Array.from({ length: size }, (_, index) => sampleToken(index));
  const up = (count: number) => Math.round((count * samples) / size);
  const counts = await count(tx, search, restrictedTo(base, tokens));
  return counts.map((one) => ({ ...one, passed: up(one.passed), failed: one.failed.map(up) }));
}

/** Takes the exact numbers of what passes all filters; the others stay estimates. */
function takeExact(counts: Counted[], exact: Counted[]): void {
  const keyOf = ({ facet, value }: Counted) => `${facet} ${value}`;
  const known = new Map(exact.map((one) => [keyOf(one), one]));
  for (const one of counts) {
    one.passed = known.get(keyOf(one))?.passed ?? 0;
    known.delete(keyOf(one));
  }
  counts.push(...known.values());
}

function sampleToken(index: number): string {
  return `sample=${index.toString(16).padStart(2, "0")}`;
}

async function probe(
  tx: Tx,
  { filters, sort }: Search,
  base: string | undefined,
): Promise<Estimate> {
  const { bucket } = orders[sort];
  const passes = passesAll(filters);
  const { rows } = await sql<{ documents: number; keys: number[] | null }>`
    select count(*)::integer as documents, array_agg(${bucket}::integer) filter (where ${passes}) as keys
    from search_documents d where ${found(restrictedTo(base, [sampleToken(0)]))}`.execute(tx);
  const [row] = rows;
  return { documents: (row?.documents ?? 0) * samples, keys: row?.keys ?? [] };
}

function passesAll(filters: ActiveFilter[]): RawBuilder<SqlBool> {
  return filters.length === 0
    ? sql`true`
    : sql`(${sql.join(
        filters.map(({ test }) => test),
        sql` and `,
      )})`;
}

/** The condition of the index `search_documents_tokens_idx`. */
function found(query: string | undefined): RawBuilder<SqlBool> {
  const listed = sql<SqlBool>`d.listed and d.version <> 0`;
  return query === undefined ? listed : sql<SqlBool>`${listed} and d.tokens @@ ${query}::tsquery`;
}

/** A bit for each filter that a document fails. */
function failedBits(filters: ActiveFilter[]): RawBuilder<number> {
  if (filters.length === 0) return sql`0`;
  const bits = filters.map(
    ({ test }, index) => sql`case when ${test} then 0 else ${sql.lit(2 ** index)} end`,
  );
  return sql`(${sql.join(bits, sql` + `)})`;
}

const bands = sql.raw(searchPriceBands.map((dollars) => dollars * 100).join(", "));

/** All facets in one scan. Choosing another value of a facet in use keeps the other filters. */
async function count(tx: Tx, { filters }: Search, base: string | undefined): Promise<Counted[]> {
  const failed = filters.map(
    (_, index) => sql`count(*) filter (where failed = ${sql.lit(2 ** index)})`,
  );
  const { rows } = await sql<Omit<Counted, "failed"> & { failed: string[] | number[] }>`
    with base as materialized (
      select d.category, d.ram, d.storage, d.processor, d.graphics, d.screen / 10 as screen,
        d.battery / 10 as battery, d.condition, d.year, d.verified,
        width_bucket(d.price_cents, array[${bands}]) as price, ${failedBits(filters)} as failed
      from search_documents d where ${found(base)}
    )
    select case grouping(category, ram, storage, processor, graphics, screen, battery, condition, year, verified, price)
        when 1023 then 'category' when 1535 then 'ram' when 1791 then 'storage' when 1919 then 'cpu'
        when 1983 then 'gpu' when 2015 then 'screen' when 2031 then 'battery' when 2039 then 'condition'
        when 2043 then 'year' when 2045 then 'verified' when 2046 then 'price' else 'all' end as facet,
      coalesce(category, ram, storage, processor, graphics, screen, battery, condition, year, verified::integer,
        price, 0)::integer as value,
      (count(*) filter (where failed = 0))::integer as passed,
      array[${sql.join(failed)}]::integer[] as failed
    from base
    where failed & (failed - 1) = 0
    group by grouping sets ((), (category), (ram), (storage), (processor), (graphics), (screen), (battery),
      (condition), (year), (verified), (price))`.execute(tx);
  return rows.map((row) => ({ ...row, failed: row.failed.map(Number) }));
}

/** The best ones in the order asked for; of more than are ranked, those of the best buckets. */
async function findBest(
  tx: Tx,
  { words, filters, sort }: Search,
  { all, keys }: Best,
): Promise<string[]> {
  const { key, down } = orders[sort];
  const query = keys ? withinBest(all, keys, sort) : all;
  const direction = sql.raw(down ? "desc" : "asc");
  const ranked =
    sort === "relevance" && words
      ? sql`ts_rank('{0.1, 0.3, 0.5, 1}', d.tokens, ${words.some}::tsquery) + best.quality / 4000.0`
      : undefined;
  const { rows } = await sql<{ product_id: string }>`
    with best as materialized (
      select d.product_id, d.quality, ${key} as key from search_documents d
      where ${found(query)} and ${passesAll(filters)}
      order by ${key} ${direction}, d.product_id desc limit ${sql.lit(mostRanked)}
    )
    select best.product_id from best
    ${ranked ? sql`join search_documents d using (product_id) order by ${ranked} desc, ` : sql`order by `}
    best.key ${direction}, best.product_id desc`.execute(tx);
  return rows.map(({ product_id }) => product_id);
}

/** Restricts a search of many matches to the buckets that hold the best `mostRanked` of them. */
function withinBest(
  query: string | undefined,
  keys: number[],
  sort: SearchSort,
): string | undefined {
  const { token, down } = orders[sort];
  const sorted = keys.toSorted((a, b) => (down ? b - a : a - b));
  const needed = Math.ceil((2 * mostRanked) / samples);
  const last = sorted[needed];
  if (last === undefined) return query;
  const [first, end] = down
    ? [last, Math.max(last, ...keys) + 40]
    : [Math.max(0, Math.min(...keys) - 40), last];
  const buckets = Array.from(
    { length: end - first + 1 },
    (_, index) => `${token}=${first + index}`,
  );
  return restrictedTo(query, buckets);
}
