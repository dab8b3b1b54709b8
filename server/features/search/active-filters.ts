import { type RawBuilder, type SqlBool, sql } from "kysely";
import { type Condition, conditions } from "#contract/products.ts";
import type { FilterName } from "#contract/search.ts";
import { graphics, processors } from "../search-index/dictionary.ts";
import { fold } from "../search-index/fold.ts";
import { lexeme } from "../search-index/listing-document.ts";
import { wordTokens } from "../search-index/word-tokens.ts";
import type { Filters } from "./parse-query.ts";

/** Every filter but `category`, whose values are positions of categories. */
export type SearchFilters = Filters & { category?: number[] };

/**
 * One filter in force. `query` finds at least what passes it, for the index; `test` is exact, for a row of
 * `search_documents` called `d`.
 */
export type ActiveFilter = { name: FilterName; query: string; test: RawBuilder<SqlBool> };

export function activeFilters(filters: SearchFilters): ActiveFilter[] {
  return [
    ...ofValues(filters),
    ...priceFilter(filters),
    ...yearFilter(filters.year),
    ...batteryFilter(filters.battery),
    ...placeFilter(filters.near),
  ];
}

function ofValues({
  category,
  ram,
  storage,
  cpu,
  gpu,
  screen,
  condition,
  verified,
}: SearchFilters) {
  return [
    byTokens(
      "category",
      category?.map((position) => `category=${position}`),
    ),
    byTokens(
      "ram",
      ram?.map((gb) => `ram${gb}gb`),
    ),
    byTokens(
      "storage",
      storage?.map((gb) => `ssd${gb}gb`),
    ),
    byTokens("cpu", cpu?.map(processorToken)),
    byTokens("gpu", gpu?.map(graphicsToken)),
    byTokens(
      "screen",
      screen?.map((inches) => `screen${inches}`),
    ),
    byTokens(
      "condition",
      condition?.map((name) => `condition=${conditionNumber(name)}`),
    ),
    byTokens("verified", verified && ["verified=1"]),
  ].flat();
}

export function conditionNumber(condition: Condition): number {
  return conditions.indexOf(condition) + 1;
}

function byTokens(name: FilterName, tokens: string[] | undefined): ActiveFilter[] {
  if (!tokens) return [];
  const query = anyOf(tokens);
  return [{ name, query, test: sql<SqlBool>`d.tokens @@ ${query}::tsquery` }];
}

/** Of tokens, as a `tsquery`. */
export function anyOf(tokens: string[]): string {
  return `(${tokens.map(lexeme).join(" | ")})`;
}

export function allOf(queries: string[]): string {
  return queries.join(" & ");
}

function processorToken(name: string): string {
  const compact = name.replaceAll(/[\s.-]/g, "");
  if ((processors as readonly string[]).includes(compact)) return `cpu${compact}`;
  const family = processors.find((one) => compact.startsWith(one) && !compact.startsWith("m"));
  return family === undefined ? compact : compact.slice(family.length);
}

function graphicsToken(name: string): string {
  const compact = name.replaceAll(/[\s.-]/g, "");
  return (graphics as readonly string[]).includes(compact) ? `gpu${compact}` : compact;
}

/** As `search_price_bucket` in migration 0051; one more on each side, in case their logarithms differ. */
function priceBucket(dollars: number): number {
  return Math.floor(8 * Math.log(Math.max(1, dollars)));
}

const highestPriceBucket = 140;

function priceFilter({ minPrice, maxPrice }: SearchFilters): ActiveFilter[] {
  if (minPrice === undefined && maxPrice === undefined) return [];
  const [from, to] = [minPrice ?? 0, maxPrice ?? 20_000_000];
  const first = Math.max(0, priceBucket(from) - 1);
  const last = Math.min(highestPriceBucket, priceBucket(to) + 1);
  const test = sql<SqlBool>`d.price_cents between ${Math.round(from * 100)}::integer and ${Math.round(to * 100)}::integer`;
  return [{ name: "price", query: anyOf(range("price", first, last)), test }];
}

const years = { first: 1985, last: 2100 };

function yearFilter(year: SearchFilters["year"]): ActiveFilter[] {
  if (!year) return [];
  const { from = years.first, to = years.last } = year;
  return byTokens("year", range("year", Math.max(from, years.first), Math.min(to, years.last)));
}

function batteryFilter(percent: number | undefined): ActiveFilter[] {
  if (percent === undefined) return [];
  const query = anyOf(range("battery", Math.floor(percent / 5), 20));
  return [
    {
      name: "battery",
      query,
      test: sql<SqlBool>`coalesce(d.battery >= ${percent}::smallint, false)`,
    },
  ];
}

function placeFilter(near: string | undefined): ActiveFilter[] {
  const words = fold(near ?? "")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
  if (words.length === 0) return [];
  const query = allOf(words.map((word) => lexeme(`@${wordTokens(word).whole}`)));
  return [{ name: "near", query: `(${query})`, test: sql<SqlBool>`d.tokens @@ ${query}::tsquery` }];
}

function range(name: string, first: number, last: number): string[] {
  const numbers = Array.from(
    { length: Math.max(1, last - first + 1) },
    (_, index) => first + index,
  );
  return numbers.map((number) => `${name}=${number}`);
}
