import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { SearchSort } from "#contract/search.ts";
import type { Tx } from "../../db/database.ts";
import { lexeme } from "../search-index/listing-document.ts";
import type { ActiveFilter } from "./active-filters.ts";
import { type Counted, countCodes } from "./count-codes.ts";
import { queryOfAll, queryOfMost, type Sampled } from "./index-query.ts";
import { mostRanked, type Order, orderOf, withinBest } from "./orders.ts";
import type { SearchPlace } from "./search-near.ts";
import { storedCounts } from "./stored-counts.ts";
import { restrictedTo, type WordsQuery } from "./words-query.ts";

export type Search = {
  words: WordsQuery;
  filters: ActiveFilter[];
  sort: SearchSort;
  place: SearchPlace | undefined;
  /** Which of the best ones are wanted. */
  page: { offset: number; limit: number };
};

/** Up to so many matches are counted one by one. */
const mostCounted = 20_000;
/** Of more matches about so many are counted. */
const sampleSize = 4_000;
/** The smallest sample has every so many-th document, by a hash of its id (migration 0070). */
const smallestSample = 256;
/** The sample that has an index of its own, `search_documents_sample_idx`; all smaller ones are part of it. */
const indexedSample = 16;

/** `sampled`: all counts are estimates; `sampledFacets`: those of the facets in use; `sampledTowns`: those of towns. */
export type Matches = {
  /** The page of the best ones in order, each with its town. */
  best: { product_id: string; place: number | null }[];
  total: number;
  sampled: boolean;
  sampledFacets: boolean;
  sampledTowns: boolean;
  counts: Counted[];
};

/** Finds, counts and orders. Each statement reads a bounded number of documents, whatever is searched for. */
export async function runSearch(tx: Tx, search: Search): Promise<Matches> {
  const asked = { ...search, order: orderOf(search.sort, search.place) };
  const sample = await probe(tx, asked);
  const passing = sample.filter(({ failed }) => failed === 0);
  const relevant = sample.filter(({ failed }) => (failed & (failed - 1)) === 0);
  const sampled = passing.length * smallestSample > mostCounted;
  const sampledFacets = relevant.length * smallestSample > mostCounted;
  if (sampled && !asked.words && asked.filters.length < 2) {
    const stored = await findStored(tx, asked, sample);
    if (stored) return stored;
  }
  const [found, estimates] = await Promise.all([
    sampled ? findBest(tx, asked, sample) : scan(tx, asked, { sample, withOthers: !sampledFacets }),
    sampledFacets &&
      countSample(tx, asked, { sample, documents: relevant.length * smallestSample }),
  ]);
  const counts = estimates || found.counts;
  if (sampledFacets && !sampled) takeExact(counts, found.counts);
  const total = counts.find(({ facet }) => facet === "all")?.passed ?? 0;
  return { best: found.best, total, sampled, sampledFacets, sampledTowns: sampled, counts };
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
  return { best, total, sampled: false, sampledFacets: false, sampledTowns: true, counts };
}

type Asked = Search & { order: Order };

function indexQueryOf({ words, filters }: Asked) {
  return { words: words?.every, filters };
}

/** The smallest sample of the documents that have the words. */
async function probe(tx: Tx, { words, filters, order }: Asked): Promise<Sampled[]> {
  const { rows } = await sql<{ sample: Buffer | null }>`
    select string_agg(int4send(failed) || int4send(key) || int4send(quality) || int4send(place), ''::bytea) as sample
    from (
      select ${failedBits(filters)} as failed, coalesce(${order.bucket}::integer, 0) as key, d.quality::integer / 16 as quality,
        coalesce(d.place, 0) as place
      from search_documents d where ${inSample(words?.every, smallestSample)} offset 0
    ) as sample`.execute(tx);
  const packed = rows[0]?.sample ?? Buffer.alloc(0);
  return Array.from({ length: packed.length / 16 }, (_, at) => ({
    failed: packed.readInt32BE(at * 16),
    key: packed.readInt32BE(at * 16 + 4),
    quality: packed.readInt32BE(at * 16 + 8),
    place: packed.readInt32BE(at * 16 + 12),
  }));
}

/** What `foundBy` finds of a sample. */
function inSample(query: string | undefined, size: number): RawBuilder<SqlBool> {
  if (size < indexedSample) return foundBy(restrictedTo(query, [`=sample${size}`]));
  const indexed = sql<SqlBool>`d.tokens @@ ${sql.lit(lexeme(`=sample${indexedSample}`))}::tsquery`;
  const rest = size === indexedSample ? query : restrictedTo(query, [`=sample${size}`]);
  return sql<SqlBool>`${indexed} and ${foundBy(rest)}`;
}

/** Counts a part of the documents, always the same one, of some thousands. */
async function countSample(
  tx: Tx,
  asked: Asked,
  { sample, documents }: { sample: Sampled[]; documents: number },
): Promise<Counted[]> {
  const power = Math.ceil(Math.log2(documents / sampleSize));
  const size = 2 ** Math.min(8, Math.max(1, power));
  const base = queryOfMost(indexQueryOf(asked), { sample, each: smallestSample / size });
  const { rows } = await sql<Codes>`
    select ${codesByFailed(asked.filters)} from (
      select d.codes, ${failedBits(asked.filters)} as failed
      from search_documents d where ${inSample(base, size)} offset 0
    ) as base`.execute(tx);
  return countGroups(rows[0], asked.filters).map((one) => ({
    ...one,
    passed: one.passed * size,
    failed: one.failed.map((count) => count * size),
  }));
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

/** The condition of the index `search_documents_tokens_idx`. */
function foundBy(query: string | undefined): RawBuilder<SqlBool> {
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

type Codes = Record<`codes${number}`, Buffer | null>;

/** The codes of what passes all filters, and for each filter of what fails only it. */
function codesByFailed(filters: ActiveFilter[]): RawBuilder<unknown> {
  const failed = [0, ...filters.map((_, index) => 2 ** index)];
  const columns = failed.map(
    (bits, at) =>
      sql`string_agg(codes, ''::bytea) filter (where failed = ${sql.lit(bits)}) as ${sql.id(`codes${at}`)}`,
  );
  return sql.join(columns);
}

function countGroups(codes: Codes | undefined, filters: ActiveFilter[]): Counted[] {
  const groups = [undefined, ...filters].map((_, at) => codes?.[`codes${at}`] ?? Buffer.alloc(0));
  return countCodes(groups);
}

type Found = { best: Matches["best"]; counts: Counted[] };
type Ranked = { ids: string[] | null; places: (number | null)[] | null };
type Scan = { sample: Sampled[]; withOthers: boolean };

/** Reads every match once, to count and to rank; `withOthers` what fails one filter, too. */
async function scan(tx: Tx, asked: Asked, { sample, withOthers }: Scan): Promise<Found> {
  const queryOf = withOthers ? queryOfMost : queryOfAll;
  const query = queryOf(indexQueryOf(asked), { sample, each: smallestSample });
  const { rows } = await sql<Codes & Ranked>`
    with scanned as materialized (${documents(asked, query)}),
    best as materialized (${bestOf(asked)})
    select counted.*, ranked.* from (select ${codesByFailed(asked.filters)} from scanned) as counted,
      (${ranked(asked)}) as ranked`.execute(tx);
  return { best: toBest(rows[0]), counts: countGroups(rows[0], asked.filters) };
}

/** Of too many matches to read them all: those of the best buckets. */
async function findBest(tx: Tx, asked: Asked, sample: Sampled[]): Promise<Found> {
  const passing = sample.filter(({ failed }) => failed === 0);
  const { tokens, has } = withinBest(passing, asked);
  const near = { sample: sample.filter(has), each: smallestSample };
  const query = queryOfAll(indexQueryOf(asked), near);
  const { rows } = await sql<Ranked>`
    with scanned as materialized (${documents(asked, [query, tokens].filter(Boolean).join(" & "))}),
    best as materialized (${bestOf(asked)})
    ${ranked(asked)}`.execute(tx);
  return { best: toBest(rows[0]), counts: [] };
}

function documents({ filters, order }: Asked, query: string | undefined): RawBuilder<unknown> {
  return sql`
    select d.ctid as tid, d.product_id, d.place, d.quality, d.codes, ${order.key} as key, ${failedBits(filters)} as failed
    from search_documents d ${order.join ?? sql``} where ${foundBy(query)}`;
}

function direction({ down }: Order): RawBuilder<unknown> {
  return sql.raw(down ? "desc" : "asc");
}

function bestOf({ order }: Asked): RawBuilder<unknown> {
  return sql`select tid, product_id, place, quality, key from scanned where failed = 0
    order by key ${direction(order)}, quality desc, product_id desc limit ${sql.lit(mostRanked)}`;
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
