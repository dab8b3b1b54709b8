import { sql } from "kysely";
import { z } from "zod";
import type { SearchAnswer, SearchQuery, SearchSort } from "#contract/search.ts";
import type { Tx } from "../../db/database.ts";
import type { Deps } from "../../deps.ts";
import { AppError, fieldError, Overloaded } from "../../errors.ts";
import { FairQueue } from "../../fair-queue.ts";
import { selectAvailable, toProduct } from "../products/product-rows.ts";
import { activeFilters, anyWord, oneOf, type SearchFilters, wordsQuery } from "./active-filters.ts";
import { type Categories, facetsOf, filterLabels, nameOfLine } from "./labels.ts";
import { resolveNear, type SearchPlace } from "./near.ts";
import { type ParsedQuery, parseQuery } from "./parse-query.ts";
import {
  type PageStart,
  type Results,
  runSearch,
  type SearchPage,
  withinLimits,
} from "./run-search.ts";
import type { Match, Search } from "./search-sql.ts";
import type { Mark } from "./sort-orders.ts";
import { correctWords } from "./typos-and-suggestions.ts";

export const searchTurns = new FairQueue({
  concurrency: 4,
  maxWaiting: 100,
  refusal: () =>
    new Overloaded("Many people are searching right now. Please try again in a few seconds.", 2),
});

/**
 * See docs/search.md. Throws `BAD_REQUEST` for a bad cursor, and `UNAVAILABLE` if a statement takes
 * too long. Throws `INVALID_INPUT` for an unknown category, or a distance without a known town.
 */
export async function search(deps: Deps, db: Tx, query: SearchQuery): Promise<SearchAnswer> {
  const start = readCursor(query.cursor);
  return await withinLimits(deps, db, async (tx, { isSmallShop }) => {
    const { parsed, corrected, categories, given, merged, filters } = await readQuery(tx, query);
    const { place } = merged;
    const sort = query.sort ?? "relevance";
    requirePlace(merged, sort);
    const request = { words: wordsQuery(parsed), filters, sort, place, isSmallShop };
    const page = { start, limit: query.limit };
    const labels = filterLabels(parsed, { query, given, categories });
    const found = await runSearch(tx, request, page);
    const { results, loosened } =
      found.total > 0
        ? { results: found, loosened: null }
        : await loosen(tx, request, { found, labels, parsed, page });
    return {
      items: await readProducts(tx, results.items, place),
      total: results.total,
      sampled: results.sampled,
      facets: facetsOf(results, { filters, categories }),
      filters: labels,
      lines: parsed.lines.map(({ name, rest }) => ({ label: nameOfLine(name), rest })),
      excluded: parsed.excluded.map(({ text, rest }) => ({ text, rest })),
      place: place ? { name: place.name, within: place.within, others: place.others } : null,
      corrected,
      loosened,
      next: results.next ? writeCursor(results.next) : null,
    };
  });
}

/**
 * Reads the typed text and the filters in the URL, which override those in the text (`merged`).
 * `typed`: the words before they were corrected. Throws `INVALID_INPUT` for an unknown category.
 */
export async function readQuery(tx: Tx, query: SearchQuery) {
  const parsed = parseQuery(query.q ?? "");
  const typed = parsed.words.map((word) => ({ ...word }));
  const [categories, corrected] = await Promise.all([
    listCategoryNumbers(tx),
    correctWords(tx, parsed),
  ]);
  const given = filtersOfAddress(query, categories);
  const filters = { ...parsed.filters, ...given };
  const merged = { ...filters, place: resolveNear(filters) };
  return { parsed, typed, corrected, categories, given, merged, filters: activeFilters(merged) };
}

async function listCategoryNumbers(tx: Tx): Promise<Categories> {
  const rows = await tx
    .selectFrom("categories")
    .select(["id", "number", "product_category as name", "hidden"])
    .execute();
  return new Map(rows.map(({ id, ...category }) => [id, category]));
}

function filtersOfAddress(query: SearchQuery, categories: Categories): SearchFilters {
  const { q, sort, limit, cursor, category, ...filters } = query;
  if (!category) return filters;
  const numbers = category.flatMap((id) => categories.get(id)?.number ?? []);
  if (numbers.length === category.length) return { ...filters, category: numbers };
  throw fieldError("category", "There is no such category.");
}

function requirePlace({ place, near, within }: SearchFilters, sort: SearchSort): void {
  if (place || (within === undefined && sort !== "distance")) return;
  const message =
    near === undefined
      ? "Distances need near, the name of a town, such as Portland, OR."
      : "We don't know that town. Write it with its state or country, such as Portland, OR.";
  throw fieldError("near", message);
}

/** Keeps the order, and skips laptops that are no longer for sale. */
async function readProducts(
  tx: Tx,
  best: Match[],
  place: SearchPlace | undefined,
): Promise<SearchAnswer["items"]> {
  if (best.length === 0) return [];
  const ids = best.map(({ product_id }) => product_id);
  const rows = await selectAvailable(tx).where("products.id", "in", ids).execute();
  const products = new Map(rows.map((row) => [row.id, toProduct(row)]));
  const distances = new Map(place?.nearby.map(({ id, km }) => [id, Math.round(km)]));
  return best.flatMap(({ product_id, place: town }) => {
    const product = products.get(product_id);
    const distance = distances.get(town ?? 0);
    return product ? [{ ...product, ...(distance !== undefined && { distance }) }] : [];
  });
}

const mark = z
  .tuple([z.int().min(0).max(9_999_999_999), z.int().min(0).max(2_000)])
  .transform(([key, quality]) => ({ key, quality }))
  .optional();
const cursor = z.tuple([
  z.int().min(0).max(10_000),
  z.strictObject({ after: mark, until: mark }).optional(),
]);

function writeCursor({ offset, slice }: PageStart): string {
  const pair = (end: Mark | undefined) => end && [end.key, end.quality];
  const ends = slice ? [{ after: pair(slice.after), until: pair(slice.until) }] : [];
  return Buffer.from(JSON.stringify([offset, ...ends])).toString("base64url");
}

function readCursor(text: string | undefined): PageStart {
  if (text === undefined) return { offset: 0 };
  const read = cursor.safeParse(parseJson(Buffer.from(text, "base64url").toString()));
  if (!read.success)
    throw new AppError("BAD_REQUEST", "There is no such page. Start again from the first one.");
  const [offset, slice] = read.data;
  return { offset, slice };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A search for more alternative words takes too long. */
const maxAlternatives = 8;

type LoosenInput = {
  found: Results;
  labels: SearchAnswer["filters"];
  parsed: ParsedQuery;
  page: SearchPage;
};
type Loosened = { results: Results; loosened: SearchAnswer["loosened"] };

/** Drops the filter that hides the most laptops, or else searches for any of the words. */
async function loosen(
  tx: Tx,
  request: Search,
  { found, labels, parsed, page }: LoosenInput,
): Promise<Loosened> {
  const index = await findFilterToDrop(tx, request, found);
  const filter = request.filters[index]?.name;
  if (filter !== undefined) {
    const label = labels.find((one) => one.filter === filter)?.label ?? filter;
    const results = await runSearch(tx, without(request, index), page);
    return { results, loosened: { filter, label, missing: [] } };
  }
  const { every, none } = request.words;
  if (every.length === 0) return { results: found, loosened: null };
  const words = { every: [anyWord(every.slice(0, maxAlternatives))], none };
  const results = await runSearch(tx, { ...request, words }, page);
  if (results.total === 0) return { results: found, loosened: null };
  const missing = await missingWords(tx, parsed, results.items);
  return { results, loosened: { filter: null, label: "some of your words", missing } };
}

/** Returns the filter's index, or -1 if dropping no single filter helps. */
async function findFilterToDrop(tx: Tx, request: Search, found: Results): Promise<number> {
  let totals = found.failingOnly;
  // The sample may miss the few laptops that fail only one filter.
  if (found.sampledInUse && Math.max(0, ...totals) === 0) {
    totals = [];
    for (const index of request.filters.keys())
      totals.push((await runSearch(tx, without(request, index), firstResult)).total);
  }
  const max = Math.max(0, ...totals);
  return max === 0 ? -1 : totals.indexOf(max);
}

const firstResult = { start: { offset: 0 }, limit: 1 };

/** Drops a filter. Without a place, sorts by relevance instead of distance. */
function without(request: Search, index: number): Search {
  const isPlace = request.filters[index]?.name === "near";
  const filters = request.filters.filter((_, at) => at !== index);
  const sort = isPlace && request.sort === "distance" ? "relevance" : request.sort;
  return { ...request, filters, sort };
}

async function missingWords(tx: Tx, { words }: ParsedQuery, found: Match[]): Promise<string[]> {
  const ids = found.map(({ product_id }) => product_id);
  const { rows } = await sql<{ at: number }>`
    select asked.at::integer from unnest(${words.map(oneOf)}::text[]) with ordinality as asked (query, at)
    where not exists (
      select from search_documents d where d.product_id = any(${ids}::uuid[]) and d.tokens @@ asked.query::tsquery)
    order by asked.at`.execute(tx);
  return rows.map(({ at }) => words[at - 1]?.text ?? "");
}
