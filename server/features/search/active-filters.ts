import { type RawBuilder, type SqlBool, sql } from "kysely";
import { toCents } from "#contract/price.ts";
import { type Condition, conditions } from "#contract/products.ts";
import type { FilterName } from "#contract/search.ts";
import { foldText } from "#contract/text.ts";
import { graphics, processors } from "../search-index/dictionary.ts";
import { wordTokens } from "../search-index/find-spans.ts";
import { lexeme } from "../search-index/listing-document.ts";
import type { SearchPlace } from "./near.ts";
import type { Excluded, Filters, ParsedQuery, QueryWord } from "./parse-query.ts";

/** All filters. `category`: the categories' numbers. `place`: the town that `near` names. */
export type SearchFilters = Filters & { category?: number[]; place?: SearchPlace | undefined };

/**
 * `test`: for a row `d` of `search_documents`; null if a fact is missing. `tokens`: a listing that
 * passes has one of them, or all if `allTokens` is set. `hasIndex`: an index answers the test.
 * `values`: the chosen values of the filter's facet. Ranges, towns and part models have none.
 */
export type ActiveFilter = {
  name: FilterName;
  test: RawBuilder<SqlBool>;
  tokens: string[];
  allTokens?: true;
  hasIndex?: true;
  values?: number[];
};

/** A `tsquery` that finds every listing that passes the filter, and possibly others. */
export function queryOf({ tokens, allTokens }: Pick<ActiveFilter, "tokens" | "allTokens">): string {
  return allTokens ? `(${allOf(tokens.map(lexeme))})` : anyOf(tokens);
}

export function activeFilters(filters: SearchFilters): ActiveFilter[] {
  const { category, ram, storage, cpu, gpu, screen, condition, verified } = filters;
  return [
    valuesFilter("category", category, { column: "category", tokenOf: (at) => `=category${at}` }),
    valuesFilter("ram", ram, { column: "ram", tokenOf: (gb) => `ram${gb}gb` }),
    valuesFilter("storage", storage, { column: "storage", tokenOf: (gb) => `ssd${gb}gb` }),
    valuesFilter("condition", condition?.map(conditionNumber), {
      column: "condition",
      tokenOf: (number) => `=condition${number}`,
    }),
    valuesFilter("verified", verified && [1], {
      column: "verified::integer",
      tokenOf: () => "=verified1",
    }),
    partsFilter("cpu", cpu?.map(processorToken), { column: "processor", families: processors }),
    partsFilter("gpu", gpu?.map(graphicsToken), { column: "graphics", families: graphics }),
    screenFilter(screen),
    priceFilter(filters),
    yearFilter(filters.year),
    batteryFilter(filters.battery),
    placeFilter(filters),
  ].flat();
}

type ByColumn = { column: string; tokenOf: (value: number) => string };

/** Builds a filter that tests a column, which is cheaper than testing tokens. */
function valuesFilter(
  name: FilterName,
  values: number[] | undefined,
  { column, tokenOf }: ByColumn,
): ActiveFilter[] {
  if (!values) return [];
  const test = sql<SqlBool>`d.${sql.raw(column)} = any(${values}::integer[])`;
  return [{ name, test, tokens: values.map(tokenOf), values }];
}

function conditionNumber(condition: Condition): number {
  return conditions.indexOf(condition) + 1;
}

/** Families have a column; models have only tokens. */
function partsFilter(
  name: "cpu" | "gpu",
  tokens: string[] | undefined,
  { column, families }: { column: string; families: readonly string[] },
): ActiveFilter[] {
  if (!tokens) return [];
  const numbers = tokens.map((token) => families.indexOf(token.slice(name.length)) + 1);
  if (tokens.every((token, index) => token.startsWith(name) && numbers[index] !== 0))
    return valuesFilter(name, numbers, {
      column,
      tokenOf: (number) => `${name}${families[number - 1]}`,
    });
  return [{ name, test: hasTokens(anyOf(tokens)), tokens, hasIndex: true }];
}

/** 13.3 is exact; 13 means 13 to 13.9 inches. */
function screenFilter(screen: number[] | undefined): ActiveFilter[] {
  if (!screen) return [];
  const [whole, others] = [screen.filter(Number.isInteger), screen.filter((n) => n % 1 !== 0)];
  const tenths = others.map((inches) => Math.round(inches * 10));
  const test = sql<SqlBool>`(d.screen = any(${tenths}::integer[])
    or d.screen / 10 = any(${whole}::integer[]))`;
  const tokens = screen.map((inches) => `screen${inches}`);
  return [{ name: "screen", test, tokens, values: whole }];
}

function anyOf(tokens: string[]): string {
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

const maxCents = 2_000_000_000;

/** Returns the price range in cents. */
export function priceRange({ minPrice = 0, maxPrice }: SearchFilters) {
  return { min: toCents(minPrice), max: maxPrice === undefined ? maxCents : toCents(maxPrice) };
}

function priceFilter(filters: SearchFilters): ActiveFilter[] {
  if (filters.minPrice === undefined && filters.maxPrice === undefined) return [];
  const { min, max } = priceRange(filters);
  const test = sql<SqlBool>`d.price_cents between ${min}::integer and ${max}::integer`;
  // Prices have no tokens. Every listing has a condition token, so these tokens exclude nothing.
  const tokens = range("condition", 1, conditions.length);
  return [{ name: "price", test, tokens, hasIndex: true }];
}

const years = { first: 1984, last: 2047 };

function yearFilter(year: SearchFilters["year"]): ActiveFilter[] {
  if (!year) return [];
  const first = Math.max(year.from ?? years.first, years.first);
  const last = Math.max(first, Math.min(year.to ?? years.last, years.last));
  const test = sql<SqlBool>`d.year between ${first}::smallint and ${last}::smallint`;
  return [{ name: "year", test, tokens: range("year", first, last) }];
}

function batteryFilter(percent: number | undefined): ActiveFilter[] {
  if (percent === undefined) return [];
  const tokens = range("battery", Math.floor(percent / 5), 20);
  return [{ name: "battery", test: sql`d.battery >= ${percent}::smallint`, tokens }];
}

/** Matches the towns around a known town, or the words of an unknown town. */
function placeFilter({ near = "", place }: SearchFilters): ActiveFilter[] {
  const name = "near";
  if (place) {
    const ids = place.nearby.map(({ id }) => id);
    const test = sql<SqlBool>`d.place = any(${ids}::integer[])`;
    return [{ name, test, tokens: ids.map((id) => `=place${id}`), hasIndex: true }];
  }
  const words = foldText(near)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
  if (words.length === 0) return [];
  const tokens = words.map((word) => `@${wordTokens(word).whole}`);
  const filter = { tokens, allTokens: true } as const;
  return [{ name, test: hasTokens(queryOf(filter)), ...filter, hasIndex: true }];
}

function range(name: string, first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, index) => `=${name}${first + index}`);
}

/** `every`: required words; `none`: excluded words. Each is a `tsquery`. */
export type WordsQuery = { every: string[]; none: string[] };

export function wordsQuery({ words, purposes, excluded }: ParsedQuery): WordsQuery {
  return {
    every: [...words.map(oneOf), ...purposes.map(lexeme)],
    none: excluded.map(allOfExcluded),
  };
}

export function anyWord(every: string[]): string {
  return `(${every.join(" | ")})`;
}

/** SQL: whether a row `d` of `search_documents` matches a `tsquery`. */
export function hasTokens(query: string): RawBuilder<SqlBool> {
  return sql`d.tokens @@ ${query}::tsquery`;
}

/** A `tsquery` for the listings to exclude: those with all words of an excluded phrase. */
export function allOfExcluded({ words, purposes, filters }: Excluded): string {
  const ofFilters = activeFilters(filters).map(queryOf);
  return allOf([...words.map(oneOf), ...purposes.map(lexeme), ...ofFilters]);
}

/**
 * A `tsquery` for the word or its parts ("x-360"), and longer words if the word may be unfinished.
 * A number may also be a screen size ("xps 13").
 */
export function oneOf({ text, parts, isPrefix, isKnown }: QueryWord): string {
  const inParts = parts.length > 1 ? [`(${allOf(parts.map(lexeme))})`] : [];
  const beginning = isPrefix && !isKnown ? [`${lexeme(text)}:*`] : [];
  const screen = /^1[0-8]$/.test(text) ? [lexeme(`screen${text}`)] : [];
  return `(${[lexeme(text), ...inParts, ...screen, ...beginning].join(" | ")})`;
}
