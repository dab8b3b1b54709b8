import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { SearchSort } from "#contract/search.ts";
import type { Tx } from "../../db/database.ts";
import { lexeme } from "../search-index/listing-document.ts";
import type { ActiveFilter } from "./active-filters.ts";
import { type Counted, countCodes } from "./count-codes.ts";
import { type Narrowed, queryOfAll, queryOfMost, type Sampled } from "./index-query.ts";
import {
  isAmongBest,
  mostRanked,
  type Order,
  orderOf,
  smallestSample,
  withinBest,
} from "./orders.ts";
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
/** Of more matches a sample is counted, for which at most so many rows are read. */
const sampleSize = 4_000;
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
    sampledFacets && countSample(tx, asked, sample),
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
    select string_agg(int4send(failed) || int4send(key) || int4send(quality) || int4send(place) || float8send(value),
      ''::bytea) as sample
    from (
      select ${failedBits(filters)} as failed, coalesce(${order.bucket}::integer, 0) as key, d.quality::integer / 16 as quality,
        coalesce(d.place, 0) as place, coalesce((${order.value})::float8, 0) as value
      from search_documents d ${order.join ?? sql``} where ${inSample(words?.every, smallestSample)} offset 0
    ) as sample`.execute(tx);
  const packed = rows[0]?.sample ?? Buffer.alloc(0);
  return Array.from({ length: packed.length / 24 }, (_, at) => ({
    failed: packed.readInt32BE(at * 24),
    key: packed.readInt32BE(at * 24 + 4),
    quality: packed.readInt32BE(at * 24 + 8),
    place: packed.readInt32BE(at * 24 + 12),
    value: packed.readDoubleBE(at * 24 + 16),
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
async function countSample(tx: Tx, asked: Asked, sample: Sampled[]): Promise<Counted[]> {
  const each = smallestSample / indexedSample;
  const { query, found } = queryOfMost(indexQueryOf(asked), { sample, each });
  const power = Math.ceil(Math.log2((found * indexedSample) / sampleSize));
  const size = 2 ** Math.min(8, Math.max(1, power));
  const { rows } = await sql<Codes>`
    select ${codesByFailed(asked.filters)} from (
      select d.codes, ${failedBits(asked.filters)} as failed
      from search_documents d where ${inSample(query, size)} offset 0
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

function codesColumns(filters: ActiveFilter[]): RawBuilder<unknown> {
  return sql.join([0, ...filters].map((_, at) => sql.id(`codes${at}`)));
}

function countGroups(codes: Codes | undefined, filters: ActiveFilter[]): Counted[] {
  const groups = [undefined, ...filters].map((_, at) => codes?.[`codes${at}`] ?? Buffer.alloc(0));
  return countCodes(groups);
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
  return first.candidates < Math.min(all, wantedOf(asked)) ? await read(undefined) : first;
}

/** Of too many matches to read them all: those of the best buckets. */
async function findBest(tx: Tx, asked: Asked, sample: Sampled[]): Promise<Found> {
  const passing = sample.filter(({ failed }) => failed === 0);
  const { tokens, has } = withinBest(passing, { ...asked, wanted: wantedOf(asked) });
  const near = { sample: sample.filter(has), each: smallestSample };
  const { query } = queryOfAll(indexQueryOf(asked), near);
  const within = [query, tokens].filter(Boolean).join(" & ");
  const { rows } = await sql<Ranked>`
    with found as materialized (
      select array_agg(tid) filter (where failed = 0) as tids
      from (${documents(asked, { query: within, condition: undefined })} offset 0) as scanned
    ), best as materialized (${bestOf(asked)})
    ${ranked(asked)}`.execute(tx);
  return { best: toBest(rows[0]), counts: [] };
}

type Documents = { query: string | undefined; condition: RawBuilder<SqlBool> | undefined };

function documents(
  { filters, order }: Asked,
  { query, condition }: Documents,
): RawBuilder<unknown> {
  const join = condition ? (order.join ?? sql``) : sql``;
  return sql`
    select d.ctid as tid, d.codes, ${failedBits(filters)} as failed, ${condition ?? sql`true`} as is_best
    from search_documents d ${join} where ${foundBy(query)}`;
}

/** So many of the best are needed: for the words' rank all that are ranked, otherwise those up to the page's end. */
function wantedOf({ words, sort, page }: Asked): number {
  return sort === "relevance" && words
    ? mostRanked
    : Math.min(mostRanked, page.offset + page.limit);
}

function direction({ down }: Order): RawBuilder<unknown> {
  return sql.raw(down ? "desc" : "asc");
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
