import { type RawBuilder, type SqlBool, sql } from "kysely";
import { foldText } from "#contract/fold-text.ts";
import { type Condition, conditions } from "#contract/products.ts";
import type { FilterName } from "#contract/search.ts";
import { graphics, processors } from "../search-index/dictionary.ts";
import { lexeme } from "../search-index/listing-document.ts";
import { wordTokens } from "../search-index/word-tokens.ts";
import { countKey, firstYear } from "./count-codes.ts";
import type { SampledListing } from "./listing-sample.ts";
import type { Filters } from "./parse-query.ts";
import { placeTokens, type SearchPlace } from "./search-near.ts";

/** Every filter but `category`, whose values are positions of categories; `place` is the town that `near` names. */
export type SearchFilters = Filters & { category?: number[]; place?: SearchPlace | undefined };

/**
 * One filter in force. `query` finds at least what passes it, for the index; `test` is exact, for a row of
 * `search_documents` called `d`.
 */
export type ActiveFilter = {
  name: FilterName;
  query: string;
  test: RawBuilder<SqlBool>;
  /** As `test`, for a listing of the sample; not of filters by tokens. */
  passes?: ((one: SampledListing) => boolean) | undefined;
  /** The values of the facet that pass it (`countKey`), if what passes it is what has one of them. */
  keys?: number[] | undefined;
};

export function activeFilters(filters: SearchFilters): ActiveFilter[] {
  return [
    ...ofNumbers(filters),
    ...ofNames(filters),
    ...priceFilter(filters),
    ...yearFilter(filters.year),
    ...batteryFilter(filters.battery),
    ...placeFilter(filters),
  ];
}

/** Filters with a column of its own: a test of the column is cheaper than one of the tokens. */
function ofNumbers({ category, ram, storage, condition, verified }: SearchFilters) {
  return [
    byColumn("category", category, (position) => `=category${position}`),
    byColumn("ram", ram, (gb) => `ram${gb}gb`),
    byColumn("storage", storage, (gb) => `ssd${gb}gb`),
    byColumn("condition", condition?.map(conditionNumber), (number) => `=condition${number}`),
    verified
      ? [
          {
            ...{ name: "verified" as const, query: "'=verified1'", test: sql<SqlBool>`d.verified` },
            ...{ keys: [countKey("verified", 1)], passes: (one: SampledListing) => one.verified },
          },
        ]
      : [],
  ].flat();
}

type Column = "category" | "ram" | "storage" | "condition" | "processor" | "graphics";

function byColumn(
  name: "category" | "ram" | "storage" | "condition",
  values: number[] | undefined,
  tokenOf: (value: number) => string,
): ActiveFilter[] {
  if (!values) return [];
  const keys = keysOf(name, values);
  const passes = isAmong(name, values);
  return [{ name, query: anyOf(values.map(tokenOf)), test: isOneOf(name, values), keys, passes }];
}

function keysOf(name: Parameters<typeof countKey>[0], values: number[]): number[] {
  return [...new Set(values)].map((value) => countKey(name, value));
}

function isAmong(column: Column, values: number[]): (one: SampledListing) => boolean {
  return (one) => values.includes(one[column]);
}

function isOneOf(column: Column, values: number[]): RawBuilder<SqlBool> {
  return sql<SqlBool>`coalesce(d.${sql.raw(column)} = any(${values}::integer[]), false)`;
}

export function conditionNumber(condition: Condition): number {
  return conditions.indexOf(condition) + 1;
}

/** Families of parts have a column; their models are tokens only. */
function ofNames({ cpu, gpu, screen }: SearchFilters): ActiveFilter[] {
  return [
    byPart("cpu", cpu?.map(processorToken), { column: "processor", families: processors }),
    byPart("gpu", gpu?.map(graphicsToken), { column: "graphics", families: graphics }),
    ofScreens(screen),
  ].flat();
}

/** 13.3 is such a screen; 13 is any from 13 to 13.9. */
function ofScreens(screen: number[] | undefined): ActiveFilter[] {
  if (!screen) return [];
  const tenths = screen
    .filter((inches) => !Number.isInteger(inches))
    .map((n) => Math.round(n * 10));
  const test = sql<SqlBool>`coalesce(d.screen = any(${tenths}::integer[])
    or d.screen / 10 = any(${screen.filter(Number.isInteger)}::integer[]), false)`;
  const query = anyOf(screen.map((inches) => `screen${inches}`));
  const passes = (one: SampledListing) =>
    tenths.includes(one.screen) || screen.includes(Math.floor(one.screen / 10));
  return [
    {
      name: "screen",
      query,
      test,
      passes,
      keys: tenths.length === 0 ? keysOf("screen", screen) : undefined,
    },
  ];
}

function byPart(
  name: "cpu" | "gpu",
  tokens: string[] | undefined,
  { column, families }: { column: Column; families: readonly string[] },
): ActiveFilter[] {
  const numbers = tokens?.map((token) => families.indexOf(token.slice(name.length)) + 1) ?? [];
  const isFamily = tokens?.every((token, index) => token.startsWith(name) && numbers[index] !== 0);
  if (!tokens || !isFamily) return byToken(name, tokens);
  const test = isOneOf(column, numbers);
  return [
    {
      name,
      query: anyOf(tokens),
      test,
      keys: keysOf(name, numbers),
      passes: isAmong(column, numbers),
    },
  ];
}

function byToken(name: FilterName, tokens: string[] | undefined): ActiveFilter[] {
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

/** As `search_price_bucket`; one more on each side, in case their logarithms differ. */
export function priceBucket(dollars: number): number {
  return Math.floor(8 * Math.log(Math.max(1, dollars)));
}

export const highestPriceBucket = 143;

function priceFilter({ minPrice, maxPrice }: SearchFilters): ActiveFilter[] {
  if (minPrice === undefined && maxPrice === undefined) return [];
  const [from, to] = [minPrice ?? 0, maxPrice ?? 20_000_000];
  const first = Math.max(0, priceBucket(from) - 1);
  const last = Math.min(highestPriceBucket, priceBucket(to) + 1);
  const test = sql<SqlBool>`d.price_cents between ${Math.round(from * 100)}::integer and ${Math.round(to * 100)}::integer`;
  const [least, most] = [Math.round(from * 100), Math.round(to * 100)];
  const passes = (one: SampledListing) => one.priceCents >= least && one.priceCents <= most;
  return [{ name: "price", query: anyOf(range("price", first, last)), test, passes }];
}

const years = { first: 1984, last: 2047 };

function yearFilter(year: SearchFilters["year"]): ActiveFilter[] {
  if (!year) return [];
  const first = Math.max(year.from ?? years.first, years.first);
  const last = Math.max(first, Math.min(year.to ?? years.last, years.last));
  const test = sql<SqlBool>`d.year between ${first}::smallint and ${last}::smallint`;
  const passes = (one: SampledListing) => one.year >= first && one.year <= last;
  const all = Array.from({ length: last - first + 1 }, (_, at) => first + at - firstYear);
  return [
    {
      name: "year",
      query: anyOf(range("year", first, last)),
      test,
      keys: keysOf("year", all),
      passes,
    },
  ];
}

function batteryFilter(percent: number | undefined): ActiveFilter[] {
  if (percent === undefined) return [];
  const query = anyOf(range("battery", Math.floor(percent / 5), 20));
  const tens = Array.from({ length: 11 }, (_, ten) => ten).filter((ten) => ten * 10 >= percent);
  const test = sql<SqlBool>`coalesce(d.battery >= ${percent}::smallint, false)`;
  return [
    {
      name: "battery",
      query,
      test,
      passes: (one: SampledListing) => one.battery >= percent,
      keys: percent % 10 === 0 ? keysOf("battery", tens) : undefined,
    },
  ];
}

/** The towns around a town that is known; the words of the location for another. */
function placeFilter({ near = "", place }: SearchFilters): ActiveFilter[] {
  if (place) {
    const ids = place.nearby.map(({ id }) => id);
    const test = sql<SqlBool>`coalesce(d.place = any(${ids}::integer[]), false)`;
    const towns = new Set(ids);
    const passes = (one: SampledListing) => towns.has(one.place);
    return [{ name: "near", query: anyOf(placeTokens(place.nearby)), test, passes }];
  }
  const words = foldText(near)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
  if (words.length === 0) return [];
  const query = allOf(words.map((word) => lexeme(`@${wordTokens(word).whole}`)));
  return [{ name: "near", query: `(${query})`, test: sql<SqlBool>`d.tokens @@ ${query}::tsquery` }];
}

const scales = [16, 4, 1];

/** The tokens of a range of numbers, the largest scales first (`search_range_tokens`). */
export function range(name: string, first: number, last: number): string[] {
  const tokens: string[] = [];
  for (let at = first; at <= last; ) {
    const size = scales.find((one) => at % one === 0 && at + one - 1 <= last) ?? 1;
    tokens.push(size === 1 ? `=${name}${at}` : `=${name}/${size}=${at / size}`);
    at += size;
  }
  return tokens;
}
