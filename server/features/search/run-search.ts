import { type RawBuilder, type SqlBool, sql } from "kysely";
import { readRow, type Tx } from "../../db/database.ts";
import type { Deps } from "../../deps.ts";
import { Overloaded } from "../../errors.ts";
import { type ActiveFilter, hasTokens, queryOf } from "./active-filters.ts";
import {
  type Counted,
  type FailureCounts,
  type Match,
  type Matches,
  readBest,
  readMatches,
  type Search,
  type SortedSearch,
} from "./search-sql.ts";
import { orderOf, type Range } from "./sort-orders.ts";

/** One listing in 64 is in the sample. */
const sampleRatio = 64;
/** Counts for searches with more matches are estimates. */
const maxExactMatches = 2_500;
/**
 * The number of sampled listings in a slice, which therefore has about 320 listings. If the slice
 * has too few results, a second read takes four times as many.
 */
const sliceSampleSize = 5;
/** If counts are estimates, an unselected value needs this many sampled listings to be shown. */
const minSampled = 3;

/** `slice`: set on later pages of a broad search. */
export type PageStart = { offset: number; slice?: Range | undefined };
export type SearchPage = { start: PageStart; limit: number };

export type Results = {
  items: Match[];
  total: number;
  /** Whether the total and all counts are estimates. */
  sampled: boolean;
  /** Whether the counts of facets in use are estimates. */
  sampledInUse: boolean;
  counts: Counted[];
  /**
   * For each filter, the number of listings that fail only this filter. If `sampledInUse`, counts
   * only sampled listings.
   */
  failingOnly: number[];
  next: PageStart | undefined;
};

type SampledSearch = { sample: Matches; page: SearchPage };

/**
 * Runs `read` in a transaction. Throws `UNAVAILABLE` if a statement takes too long. `isSmallShop`
 * comes from the planner's statistics, which may be minutes old or missing.
 */
export async function withinLimits<T>(
  { config }: Pick<Deps, "config">,
  db: Tx,
  read: (tx: Tx, shop: { isSmallShop: boolean }) => Promise<T>,
): Promise<T> {
  const reading = db.transaction().execute(async (tx) => {
    // The best plan depends on the words, JIT compilation takes longer than a search, and most
    // database pages are in memory.
    const settings = sql<{ isSmallShop: boolean }>`select
      (select reltuples between 1 and ${maxExactMatches} from pg_class
        where oid = 'search_documents_quality_idx'::regclass) as "isSmallShop",
      set_config('statement_timeout', ${String(config.searchTimeoutMs)}, true),
      set_config('plan_cache_mode', 'force_custom_plan', true), set_config('jit', 'off', true),
      set_config('pg_trgm.similarity_threshold', '0.12', true),
      set_config('max_parallel_workers_per_gather', '0', true), set_config('work_mem', '16MB', true),
      set_config('enable_seqscan', 'off', true), set_config('random_page_cost', '0.3', true)`;
    return await read(tx, await readRow(tx, settings));
  });
  return await reading.catch((error: unknown) => {
    const isTooSlow = error instanceof Error && "code" in error && error.code === "57014";
    throw isTooSlow
      ? new Overloaded("That is too broad to search now. Add a word or a filter.", 2)
      : error;
  });
}

/**
 * Runs a search (docs/search.md). A sample decides whether to read every match, or to read a slice
 * of the best matches and estimate the counts. Small shops need no sample. Later pages are read
 * like the first page. `orderOf` in sort-orders.ts and `search_quality` in 14-search.sql set the
 * order.
 */
export async function runSearch(tx: Tx, search: Search, page: SearchPage): Promise<Results> {
  const sorted = { ...search, order: orderOf(search.sort, search.place) };
  const { offset, slice } = page.start;
  const sample =
    search.isSmallShop && !slice
      ? noMatches
      : await readMatches(tx, sorted, {
          conditions: [sql`d.sampled`, ...wordConditions(search)],
          page: { offset: 0, limit: 4 * sliceSampleSize },
          after: slice?.after,
        });
  const isBroad = countPassing(sample) * sampleRatio > maxExactMatches;
  return slice || (isBroad && offset === 0)
    ? await readSlice(tx, sorted, { sample, page })
    : await readEveryMatch(tx, sorted, { sample, page });
}

const noMatches: Matches = { failures: [], counts: [], best: [] };

function countPassing({ failures }: Matches): number {
  return failures.find(({ bits }) => bits === 0)?.count ?? 0;
}

/**
 * Reads every match. To count the other values of a facet, also reads listings that fail its
 * filter. If too many listings match the words, those counts come from the sample.
 */
async function readEveryMatch(
  tx: Tx,
  search: SortedSearch,
  { sample, page: { start, limit } }: SampledSearch,
): Promise<Results> {
  const { filters } = search;
  const sampledInUse = countListings(sample.failures) * sampleRatio > maxExactMatches;
  const all = await readMatches(tx, search, {
    conditions: [
      ...wordConditions(search),
      ...(sampledInUse ? filterConditions(filters, sample.failures, sampleRatio) : []),
    ],
    page: { offset: start.offset, limit: limit + 1 },
    byWords: isByWords(search),
  });
  const isEstimated = (one: Counted) =>
    sampledInUse && filters.some(({ name }) => name === one.facet) && !isChosen(filters, one);
  return {
    items: all.best.slice(0, limit),
    total: countPassing(all),
    sampled: false,
    sampledInUse,
    counts: [
      ...all.counts.filter((one) => !isEstimated(one)),
      ...estimateCounts(filters, sample.counts.filter(isEstimated)),
    ],
    failingOnly: countFailingOnly(filters, sampledInUse ? sample : all),
    next: all.best.length > limit ? { offset: start.offset + limit } : undefined,
  };
}

/** Reads a slice: the listings after the previous slice, up to one of the best in the sample. */
async function readSlice(
  tx: Tx,
  search: SortedSearch,
  { sample, page }: SampledSearch,
): Promise<Results> {
  const { filters, order } = search;
  const { offset, slice: given } = page.start;
  const read = async (size: number) => {
    const range = { ...given, until: given?.until ?? sample.best[size - 1] };
    const share = Math.min(1, size / Math.max(1, countPassing(sample)));
    const best = await readBest(tx, search, {
      conditions: [
        ...wordConditions(search),
        ...filterConditions(filters, sample.failures, sampleRatio * share),
        order.range(range),
      ],
      page: { offset, limit: page.limit + 1 },
      byWords: isByWords(search),
    });
    return { best, range };
  };
  let slice = await read(sliceSampleSize);
  if (slice.best.length <= page.limit && slice.range.until && !given?.until)
    slice = await read(4 * sliceSampleSize);
  return {
    items: slice.best.slice(0, page.limit),
    total: estimate(countPassing(sample)),
    sampled: true,
    sampledInUse: true,
    counts: estimateCounts(filters, sample.counts),
    failingOnly: countFailingOnly(filters, sample),
    next: nextStart(slice, page),
  };
}

type Slice = { best: Match[]; range: Range };

function nextStart({ best, range }: Slice, { start, limit }: SearchPage): PageStart | undefined {
  if (best.length > limit) return { offset: start.offset + limit, slice: range };
  return range.until && { offset: 0, slice: { after: range.until } };
}

function isByWords({ words, sort }: Search): boolean {
  return words.every.length > 0 && sort === "relevance";
}

/** One condition per word, which the index answers faster than a `tsquery` with "&". */
function wordConditions({ words }: Search): RawBuilder<SqlBool>[] {
  return [
    sql`d.listed and d.quality is not null`,
    ...words.every.map(hasTokens),
    // "is false" keeps this condition off the index, where its tokens would take too long to read.
    ...words.none.map((query) => sql<SqlBool>`(${hasTokens(query)}) is false`),
  ];
}

function filterConditions(filters: ActiveFilter[], failures: FailureCounts, ratio: number) {
  const selective = selectiveFilters(filters, failures, ratio);
  return [
    ...filters.map(({ test }) => test),
    ...selective.map((filter) => hasTokens(queryOf(filter))),
  ];
}

/** Up to this many rows, testing each row is cheaper than asking the index. */
const minRowsToNarrow = 4_000;
/** The cost of looking up one token, in row reads per listing that passes the filter. */
const tokenCost = 1 / 20;

/**
 * Returns the filters whose index saves more rows than its token lookups cost. `ratio`: listings
 * per sampled listing.
 */
export function selectiveFilters<F extends Pick<ActiveFilter, "tokens" | "hasIndex">>(
  filters: F[],
  failures: FailureCounts,
  ratio: number,
): F[] {
  const all = countListings(failures);
  if (all * ratio <= minRowsToNarrow) return [];
  return filters.filter(({ tokens, hasIndex }, index) => {
    const passing = failures.filter(({ bits }) => (bits & (2 ** index)) === 0);
    return !hasIndex && countListings(passing) * (1 + tokens.length * tokenCost) < all;
  });
}

function countListings(failures: FailureCounts): number {
  return failures.reduce((sum, { count }) => sum + count, 0);
}

function countFailingOnly(filters: ActiveFilter[], { failures }: Matches): number[] {
  return filters.map((_, index) => failures.find(({ bits }) => bits === 2 ** index)?.count ?? 0);
}

/** Estimates a count from the sample, rounded to two significant digits: "about 3,200". */
function estimate(sampled: number): number {
  return Number((sampled * sampleRatio).toPrecision(2));
}

function estimateCounts(filters: ActiveFilter[], counts: Counted[]): Counted[] {
  return counts
    .filter((one) => one.count >= minSampled || isChosen(filters, one))
    .map((one) => ({ ...one, count: estimate(one.count) }));
}

function isChosen(filters: ActiveFilter[], { facet, value }: Counted): boolean {
  return filters.some(({ name, values }) => name === facet && values?.includes(value));
}
