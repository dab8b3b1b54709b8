import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Tx } from "../../db/database.ts";
import { allOf } from "./active-filters.ts";
import { type Best, countCandidates, packedCandidates, pageOf, wantedOf } from "./candidates.ts";
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
  best: Best[];
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

type Found = { best: Best[]; counts: Counted[] };
type Packed = { candidates: Buffer | null };
/** `query` finds also what fails one filter; undefined: only what passes all is read. */
type Scan = { sample: Sampled[]; query: Narrowed | undefined };

/** Reads every match once, to count and to rank. */
async function scan(tx: Tx, asked: Asked, { sample, query }: Scan): Promise<Found> {
  const { queries } = query ?? queryOfAll(indexQueryOf(asked), { sample, each: smallestSample });
  const passing = sample.filter(({ failed }) => failed === 0);
  const isBest = isAmongBest(passing, { order: asked.order, wanted: wantedOf(asked) });
  const read = async (condition: RawBuilder<SqlBool> | undefined) => {
    const { rows } = await sql<Codes & Packed>`
      select ${codesByFailed(asked.filters)}, ${packedCandidates(asked)} as candidates
      from (${documents(asked, { queries, condition })} offset 0) as scanned`.execute(tx);
    return {
      candidates: rows[0]?.candidates ?? null,
      counts: countGroups(rows[0], asked.filters),
    };
  };
  const first = await read(isBest);
  const all = first.counts.find(({ facet }) => facet === "all")?.passed ?? 0;
  const { offset, limit } = asked.page;
  const isEnough = countCandidates(first.candidates) >= Math.min(all, offset + limit);
  // Hardly ever: the sample has by chance much fewer of the best than there are.
  const { candidates, counts } = isEnough ? first : await read(undefined);
  return { best: pageOf(candidates, asked), counts };
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
  const { queries } = queryOfAll(indexQueryOf(asked), near);
  const { rows } = await sql<Packed>`
    select ${packedCandidates(asked)} as candidates
    from (${documents(asked, { queries: [...queries, tokens], condition })} offset 0) as scanned`.execute(
    tx,
  );
  return { best: pageOf(rows[0]?.candidates ?? null, asked), counts: [] };
}

type InOrder = { ids: string[] | null; places: (number | null)[] | null };

/** Of very many matches: reads the listings in the order asked for, until the page is full. */
export async function readBest(tx: Tx, { words, filters, order, page }: Asked): Promise<Found> {
  const tests = filters.map(({ test }) => sql`${test}`);
  // Not "tokens @@", which would be asked of the index of tokens.
  if (words) tests.push(sql`(d.tokens @@ ${allOf(words.every)}::tsquery) is true`);
  const { rows } = await sql<InOrder>`
    select array_agg(product_id) as ids, array_agg(place) as places from (
      select d.product_id, d.place from search_documents d
      where ${sql.join([foundBy([]), ...tests], sql` and `)}
      order by ${order.key} ${direction(order)}, d.quality desc, d.product_id desc
      limit ${page.limit}::integer offset ${page.offset}::integer
    ) as in_order`.execute(tx);
  const { ids, places } = rows[0] ?? {};
  const best = (ids ?? []).map((product_id, at) => ({ product_id, place: places?.[at] ?? null }));
  return { best, counts: [] };
}
