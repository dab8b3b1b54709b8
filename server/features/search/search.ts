import { sql } from "kysely";
import { conditions } from "#contract/products.ts";
import {
  type FilterName,
  filterNames,
  type SearchAnswer,
  type SearchQuery,
  type SearchSort,
  searchPriceBands,
} from "#contract/search.ts";
import type { Tx } from "../../db/database.ts";
import { sentWithNext } from "../../db/pipelined-transactions.ts";
import type { Deps } from "../../deps.ts";
import { AppError, Overloaded } from "../../errors.ts";
import { FairQueue } from "../../fair-queue.ts";
import { selectProducts, toProduct } from "../products/product-rows.ts";
import { graphics, processors } from "../search-index/dictionary.ts";
import { placeById, placeLabel } from "../search-index/places.ts";
import { type ActiveFilter, activeFilters, type SearchFilters } from "./active-filters.ts";
import { correctWords } from "./correct-words.ts";
import type { Counted } from "./count-codes.ts";
import { labelsOf } from "./labels.ts";
import { listingSample, refreshSample } from "./listing-sample.ts";
import { mostRanked } from "./orders.ts";
import { type ParsedQuery, parseQuery } from "./parse-query.ts";
import { type Matches, runSearch } from "./run-search.ts";
import { resolveNear, type SearchPlace } from "./search-near.ts";
import type { Search } from "./search-statements.ts";
import { missingWords, wordsQuery } from "./words-query.ts";

/** A stranger's search may take so long, and so many run at once; the others wait for their turn. */
const timeoutMs = 2_000;
export const searchTurns = new FairQueue({
  concurrency: 4,
  maxWaiting: 100,
  refusal: () =>
    new Overloaded("Many people are searching right now. Please try again in a few seconds.", 2),
});

/** Runs a read of the search, which has its turn, within its limits. */
export async function withinLimits<T>(db: Tx, read: (tx: Tx) => Promise<T>): Promise<T> {
  return await db.transaction().execute(async (tx) => {
    // Plans depend on the words; compiling one takes longer than running it.
    await sql`select set_config('statement_timeout', ${String(timeoutMs)}, true),
      set_config('plan_cache_mode', 'force_custom_plan', true), set_config('jit', 'off', true),
      set_config('pg_trgm.similarity_threshold', '0.12', true),
      set_config('max_parallel_workers_per_gather', '0', true), set_config('work_mem', '16MB', true),
      set_config('enable_seqscan', 'off', true) ${sql.raw(sentWithNext)}`.execute(tx);
    return await read(tx);
  });
}

/** The laptops that match words and filters (decision 0050), read from `db`. Throws `BAD_REQUEST` for an invalid cursor. */
export async function search(deps: Deps, db: Tx, query: SearchQuery): Promise<SearchAnswer> {
  const offset = readCursor(query.cursor);
  return await withinLimits(db, async (tx) => {
    const parsed = parseQuery(query.q ?? "");
    const [categories, corrected] = await Promise.all([
      listCategoryNumbers(tx),
      correctWords(tx, parsed),
    ]);
    const ofAddress = filtersOfAddress(query, categories);
    const asRead = { ...parsed.filters, ...ofAddress };
    const place = resolveNear(asRead);
    const filters = { ...asRead, place };
    const sort = query.sort ?? "relevance";
    requirePlace(filters, sort);
    const page = { offset, limit: query.limit + 1 };
    const words = wordsQuery(parsed);
    const listings = listingSample(deps);
    const asked = { words, filters: activeFilters(filters), sort, place, page, listings };
    const found = await runSearch(tx, asked);
    if (found.isLarge) refreshSample(deps);
    const { matches, loosened } =
      found.total > 0
        ? { matches: found, loosened: null }
        : await loosen(tx, asked, { found, filters, parsed });
    const best = matches.best.slice(0, query.limit);
    const isMore = matches.best.length > query.limit;
    return {
      items: await readProducts(tx, best, place),
      total: matches.total,
      sampled: matches.sampled,
      facets: facetsOf(matches, { filters: asked.filters, categories }),
      filters: labelled(parsed, { query, given: ofAddress, categories }),
      excluded: parsed.excluded.map(({ text, rest }) => ({ text, rest })),
      place: place ? { name: place.name, within: place.within, others: place.others } : null,
      corrected,
      loosened,
      next: isMore ? writeCursor(offset + query.limit) : null,
    };
  });
}

type Categories = Map<string, { position: number; name: string }>;

/** The position of each category, by which documents know it, and its name. */
export async function listCategoryNumbers(tx: Tx): Promise<Categories> {
  const rows = await tx
    .selectFrom("categories")
    .select(["id", "position", "product_category as name"])
    .execute();
  return new Map(rows.map(({ id, ...category }) => [id, category]));
}

/** The filters of the address, which come before those of the text. */
export function filtersOfAddress(query: SearchQuery, categories: Categories): SearchFilters {
  const { category, minPrice, maxPrice, ram, storage, cpu, gpu, screen } = query;
  const { battery, condition, year, verified, near, within } = query;
  const all = {
    category: category?.map((id) => categories.get(id)?.position ?? unknownCategory()),
    ...{ minPrice, maxPrice, ram, storage, cpu, gpu, screen, battery, condition, year },
    ...{ near, within },
    verified: verified && (true as const),
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

function unknownCategory(): never {
  const message = "There is no such category.";
  throw new AppError("INVALID_INPUT", message, { category: message });
}

/** Throws `INVALID_INPUT` if a distance is asked for without a town. */
function requirePlace({ place, near, within }: SearchFilters, sort: SearchSort): void {
  if (place || (within === undefined && sort !== "distance")) return;
  const message =
    near === undefined
      ? "Distances need near, the name of a town, such as Portland, OR."
      : "We don't know that town. Write it with its state or country, such as Portland, OR.";
  throw new AppError("INVALID_INPUT", message, { near: message });
}

type Failed = { found: Matches; filters: SearchFilters; parsed: ParsedQuery };
type Loosened = { matches: Matches; loosened: SearchAnswer["loosened"] };

/** Without the filter whose absence gives the most results or, if that helps nothing, with any of the words. */
async function loosen(
  tx: Tx,
  asked: Search,
  { found, filters, parsed }: Failed,
): Promise<Loosened> {
  const without = found.counts.find(({ facet }) => facet === "all")?.failed ?? [];
  const most = Math.max(0, ...without);
  const narrowest = most > 0 ? without.indexOf(most) : -1;
  const filter = asked.filters[narrowest]?.name;
  if (filter !== undefined) {
    const others = asked.filters.filter(({ name }) => name !== filter);
    const label = labelsOf(filters).find((one) => one.filter === filter)?.label ?? filter;
    const matches = await runSearch(tx, { ...asked, filters: others });
    return { matches: { ...found, ...matches }, loosened: { filter, label, missing: [] } };
  }
  if (!asked.words) return { matches: found, loosened: null };
  const some = asked.words.first;
  const any = { ...asked, words: { every: [some], some, first: some } };
  const matches = await runSearch(tx, any);
  if (matches.total === 0) return { matches: found, loosened: null };
  const missing = await missingWords(tx, parsed, matches.best);
  return { matches, loosened: { filter: null, label: "some of your words", missing } };
}

/** In the order given. What was sold meanwhile is left out. */
async function readProducts(
  tx: Tx,
  best: Matches["best"],
  place: SearchPlace | undefined,
): Promise<SearchAnswer["items"]> {
  if (best.length === 0) return [];
  const rows = await selectProducts(tx)
    .where(
      "products.id",
      "in",
      best.map(({ product_id }) => product_id),
    )
    .where("products.sales_status", "=", "available")
    .where("products.deleted_at", "is", null)
    .where("seller.suspended_at", "is", null)
    .execute();
  const products = new Map(rows.map((row) => [row.id, toProduct(row)]));
  const distances = new Map(place?.nearby.map(({ id, km }) => [id, Math.round(km)]));
  return best.flatMap(({ product_id, place: town }) => {
    const product = products.get(product_id);
    const distance = distances.get(town ?? 0);
    return product ? [{ ...product, ...(distance !== undefined && { distance }) }] : [];
  });
}

/** There are thousands of towns. */
const mostValues = 50;

type Naming = { filters: ActiveFilter[]; categories: Categories };

function facetsOf(matches: Matches, naming: Naming): SearchAnswer["facets"] {
  const facets: SearchAnswer["facets"] = {};
  for (const name of filterNames) {
    const index = naming.filters.findIndex((filter) => filter.name === name);
    const values = matches.counts
      .filter(({ facet, value }) => facet === name && value !== 0)
      .map((counted) => ({
        value: nameOf(name, counted.value, naming),
        count: countOf(counted, index),
      }))
      .filter(
        (one): one is { value: string; count: number } => one.value !== undefined && one.count > 0,
      );
    const sampled =
      matches.sampled ||
      (index >= 0 && matches.sampledFacets) ||
      (name === "near" && matches.sampledTowns);
    facets[name] = { values: inOrder(name, values).slice(0, mostValues), sampled };
  }
  return facets;
}

/** Of a facet in use: what choosing this value instead gives. */
function countOf({ passed, failed }: Counted, index: number): number {
  return passed + (failed[index] ?? 0);
}

function nameOf(name: FilterName, value: number, { categories }: Naming): string | undefined {
  if (name === "category")
    return [...categories].find(([, { position }]) => position === value)?.[0];
  if (name === "cpu") return processors[value - 1];
  if (name === "gpu") return graphics[value - 1];
  if (name === "condition") return conditions[value - 1];
  if (name === "price") return String(searchPriceBands[value - 1]);
  if (name === "battery") return String(value * 10);
  if (name === "near") return townOf(value);
  if (name === "verified") return "true";
  return String(value);
}

function townOf(id: number): string | undefined {
  const place = placeById(id);
  return place && placeLabel(place);
}

const byNumber: readonly FilterName[] = ["ram", "storage", "screen", "battery", "year", "price"];

function inOrder(name: FilterName, values: { value: string; count: number }[]) {
  return values.sort((a, b) =>
    byNumber.includes(name) ? Number(a.value) - Number(b.value) : b.count - a.count,
  );
}

type OfAddress = { query: SearchQuery; given: SearchFilters; categories: Categories };

/** What each filter is called. One of the address takes the place of one in the text. */
function labelled(
  { understood }: ParsedQuery,
  { query, given: ofAddress, categories }: OfAddress,
): SearchAnswer["filters"] {
  const names = query.category?.map((id) => categories.get(id)?.name).join(" or ");
  const asked: SearchAnswer["filters"] = [
    ...(names === undefined
      ? []
      : [{ filter: "category" as const, label: names, values: query.category ?? [] }]),
    ...labelsOf(ofAddress),
  ].map((one) => ({ ...one, rest: null }));
  const taken = new Set(asked.map(({ filter }) => filter));
  const read = understood.flatMap(({ filters, rest }) =>
    labelsOf(filters).map((one) => ({ ...one, rest })),
  );
  return [...asked, ...read.filter(({ filter }) => !taken.has(filter))];
}

function writeCursor(offset: number): string {
  return Buffer.from(`after ${offset}`).toString("base64url");
}

function readCursor(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const [, offset] = /^after (\d{1,4})$/.exec(Buffer.from(cursor, "base64url").toString()) ?? [];
  if (offset === undefined || Number(offset) > mostRanked)
    throw new AppError("BAD_REQUEST", "There is no such page. Start again from the first one.");
  return Number(offset);
}
