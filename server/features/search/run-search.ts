import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Tx } from "../../db/database.ts";
import type { Counted } from "./count-codes.ts";
import { countSample, probe, probeListings } from "./count-sample.ts";
import { type Narrowed, queryOfAll, queryOfMost, type Sampled } from "./index-query.ts";
import {
  isAmongBest,
  mostRanked,
  orderOf,
  readInOrder,
  smallestSample,
  withinBest,
} from "./orders.ts";
import {
  type Asked,
  type Codes,
  codesByFailed,
  codesColumns,
  countGroups,
  direction,
  documents,
  foundBy,
  indexQueryOf,
  type Search,
} from "./search-statements.ts";
import { storedCounts } from "./stored-counts.ts";

/** Up to so many matches are counted one by one. */
const mostCounted = 20_000;
/** In an order of a column at most so many listings are read to find the best. */
const mostInOrder = 10_000;

/** `sampled`: all counts are estimates; `sampledFacets`: those of the facets in use; `sampledTowns`: those of towns. */
export type Matches = {
  /** The page of the best ones in order, each with its town. */
  best: { product_id: string; place: number | null }[];
  total: number;
  sampled: boolean;
  sampledFacets: boolean;
  sampledTowns: boolean;
  /** More listings have the words than are counted one by one. */
  isLarge: boolean;
  counts: Counted[];
};

/** Finds, counts and orders. Each statement reads a bounded number of documents, whatever is searched for. */
export async function runSearch(tx: Tx, search: Search): Promise<Matches> {
  const asked = { ...search, order: orderOf(search.sort, search.place) };
  const listings =
    asked.words || asked.filters.some(({ passes }) => !passes) ? undefined : search.listings;
  const sample = listings ? probeListings(listings, asked) : await probe(tx, asked);
  const passing = sample.filter(({ failed }) => failed === 0);
  const relevant = sample.filter(({ failed }) => (failed & (failed - 1)) === 0);
  const sampled = passing.length * smallestSample > mostCounted;
  const most = queryOfMost(indexQueryOf(asked), { sample, each: smallestSample });
  const sampledFacets =
    Math.max(relevant.length * smallestSample, asked.filters.length > 0 ? most.found : 0) >
    mostCounted;
  if (sampled && !asked.words && asked.filters.length < 2) {
    const stored = await findStored(tx, asked, sample);
    if (stored) return stored;
  }
  const [found, estimates] = await Promise.all([
    sampled
      ? findBest(tx, asked, sample)
      : scan(tx, asked, { sample, query: sampledFacets ? undefined : most }),
    sampledFacets && countSample(tx, { ...asked, listings }, sample),
  ]);
  const counts = estimates || found.counts;
  if (sampledFacets && !sampled) takeExact(counts, found.counts);
  const total = counts.find(({ facet }) => facet === "all")?.passed ?? 0;
  const isLarge = sample.length * smallestSample > mostCounted;
  return {
    best: found.best,
    total,
    sampled,
    sampledFacets,
    sampledTowns: sampled,
    isLarge,
    counts,
  };
}

/** With stored counts; towns are counted in the sample. Undefined if the filter is not one of stored values. */
async function findStored(tx: Tx, asked: Asked, sample: Sampled[]): Promise<Matches | undefined> {
  const [filter] = asked.filters;
  if (filter && !filter.keys) return undefined;
  const [counts, { best }] = await Promise.all([
    storedCounts(tx, filter?.keys),
    findBest(tx, asked, sample),
  ]);
  if (!counts) return undefined;
  const passing = sample.filter(({ failed }) => failed === 0);
  for (const [town, all] of Map.groupBy(passing, ({ place }) => place))
    counts.push({ facet: "near", value: town, passed: all.length * smallestSample, failed: [0] });
  const total = counts.find(({ facet }) => facet === "all")?.passed ?? 0;
  return {
    best,
    total,
    sampled: false,
    sampledFacets: false,
    sampledTowns: true,
    isLarge: true,
    counts,
  };
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

type Found = { best: Matches["best"]; counts: Counted[] };
type Ranked = { ids: string[] | null; places: (number | null)[] | null; candidates: number | null };
/** `query` finds also what fails one filter; undefined: only what passes all is read. */
type Scan = { sample: Sampled[]; query: Narrowed | undefined };

/** Reads every match once, to count and to rank. */
async function scan(tx: Tx, asked: Asked, { sample, query }: Scan): Promise<Found> {
  const narrowed = query ?? queryOfAll(indexQueryOf(asked), { sample, each: smallestSample });
  const passing = sample.filter(({ failed }) => failed === 0);
  const isBest = isAmongBest(passing, { order: asked.order, wanted: wantedOf(asked) });
  const read = async (condition: RawBuilder<SqlBool> | undefined) => {
    const { rows } = await sql<Codes & Ranked>`
      with found as materialized (
        select ${codesByFailed(asked.filters)}, array_agg(tid) filter (where failed = 0 and is_best) as tids
        from (${documents(asked, { query: narrowed.query, condition })} offset 0) as scanned
      ), best as materialized (${bestOf(asked)})
      select ${codesColumns(asked.filters)}, cardinality(tids) as candidates, ranked.*
      from found, (${ranked(asked)}) as ranked`.execute(tx);
    const counts = countGroups(rows[0], asked.filters);
    return { best: toBest(rows[0]), counts, candidates: rows[0]?.candidates ?? 0 };
  };
  const first = await read(isBest);
  const all = first.counts.find(({ facet }) => facet === "all")?.passed ?? 0;
  // Hardly ever: the sample has by chance much fewer of the best than there are.
  const { offset, limit } = asked.page;
  return first.candidates < Math.min(all, offset + limit) ? await read(undefined) : first;
}

/** Of too many matches to read them all: those of the best buckets. */
async function findBest(tx: Tx, asked: Asked, sample: Sampled[]): Promise<Found> {
  const passing = sample.filter(({ failed }) => failed === 0);
  const wanted = wantedOf(asked);
  const { listings } = asked.listings ?? {};
  if (
    listings &&
    wanted < mostRanked &&
    readInOrder(passing, { ...asked, listings, wanted }) <= mostInOrder
  )
    return await readBest(tx, asked);
  const { tokens, has } = withinBest(passing, { ...asked, wanted });
  const condition = isAmongBest(passing, { ...asked, wanted });
  const near = { sample: sample.filter(has), each: smallestSample };
  const { query } = queryOfAll(indexQueryOf(asked), near);
  const within = [query, tokens].filter(Boolean).join(" & ");
  const { rows } = await sql<Ranked>`
    with found as materialized (
      select array_agg(tid) filter (where failed = 0 and is_best) as tids
      from (${documents(asked, { query: within, condition })} offset 0) as scanned
    ), best as materialized (${bestOf(asked)})
    ${ranked(asked)}`.execute(tx);
  return { best: toBest(rows[0]), counts: [] };
}

/** Of very many matches: reads the listings in the order asked for, until the page is full. */
export async function readBest(tx: Tx, { words, filters, order, page }: Asked): Promise<Found> {
  const tests = filters.map(({ test }) => sql`${test}`);
  // Not "tokens @@", which would be asked of the index of tokens.
  if (words) tests.push(sql`(d.tokens @@ ${words.every}::tsquery) is true`);
  const { rows } = await sql<Ranked>`
    select array_agg(product_id) as ids, array_agg(place) as places from (
      select d.product_id, d.place from search_documents d
      where ${sql.join([foundBy(undefined), ...tests], sql` and `)}
      order by ${order.key} ${direction(order)}, d.quality desc, d.product_id desc
      limit ${page.limit}::integer offset ${page.offset}::integer
    ) as in_order`.execute(tx);
  return { best: toBest(rows[0]), counts: [] };
}

/** So many of the best are needed: for the words' rank all that are ranked, otherwise those up to the page's end. */
function wantedOf({ words, sort, page }: Asked): number {
  return sort === "relevance" && words
    ? mostRanked
    : Math.min(mostRanked, page.offset + page.limit);
}

function bestOf(asked: Asked): RawBuilder<unknown> {
  const { order } = asked;
  return sql`select d.ctid as tid, d.product_id, d.place, d.quality, ${order.key} as key
    from (select unnest(tids) as tid from found) as candidates
    join search_documents d on d.ctid = candidates.tid ${order.join ?? sql``}
    order by key ${direction(order)}, d.quality desc, d.product_id desc limit ${sql.lit(wantedOf(asked))}`;
}

/** A page of the best ones in the order asked for; by relevance the words count, too. */
function ranked({ words, sort, order, page }: Asked): RawBuilder<unknown> {
  const inOrder = sql`best.key ${direction(order)}, best.quality desc, best.product_id desc`;
  const byWords = sort === "relevance" && words;
  const by = byWords
    ? sql`ts_rank('{0.1, 0.3, 0.5, 1}', d.tokens, ${words.some}::tsquery) + best.quality / 4000.0 desc, ${inOrder}`
    : inOrder;
  return sql`select array_agg(product_id) as ids, array_agg(place) as places from (
    select best.product_id, best.place from best
    ${byWords ? sql`join search_documents d on d.ctid = best.tid` : sql``} order by ${by}
    limit ${page.limit}::integer offset ${page.offset}::integer
  ) as in_order`;
}

function toBest(row: Ranked | undefined): Matches["best"] {
  return (row?.ids ?? []).map((product_id, index) => ({
    product_id,
    place: row?.places?.[index] ?? null,
  }));
}
