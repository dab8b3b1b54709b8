import { sql } from "kysely";
import { type SearchQuery, searchParameters, searchQuery } from "#contract/search.ts";
import type { Tx } from "../../db/database.ts";
import { AppError, fieldError } from "../../errors.ts";
import {
  type ActiveFilter,
  allOf,
  allOfExcluded,
  oneOf,
  priceRange,
  queryOf,
} from "../search/active-filters.ts";
import { labelsOf } from "../search/labels.ts";
import type { QueryWord } from "../search/parse-query.ts";
import { readQuery } from "../search/search.ts";
import { documentVersion, lexeme } from "../search-index/listing-document.ts";

/**
 * Parses a URL query. `search`: its parameters in a fixed order, without `sort`. Throws
 * `INVALID_INPUT`.
 */
export function readSearch(address: string): { search: string; query: SearchQuery } {
  const given = new URLSearchParams(address);
  const kept = searchParameters.flatMap((name) => {
    const value = given.get(name)?.trim();
    return value && name !== "sort" ? [[name, value] as [string, string]] : [];
  });
  const parsed = searchQuery.safeParse(Object.fromEntries(kept));
  if (!parsed.success)
    throw fieldError("search", parsed.error.issues[0]?.message ?? "That is no search.");
  return { search: new URLSearchParams(kept).toString(), query: parsed.data };
}

/**
 * Returns the columns of `saved_searches` that depend on the search. Throws `INVALID_INPUT` for an
 * unknown category, and for a search without conditions, because all laptops would match.
 */
export async function compileSearch(tx: Tx, query: SearchQuery, at: Date) {
  // The same threshold as in server/features/search/run-search.ts.
  await sql`select set_config('pg_trgm.similarity_threshold', '0.12', true)`.execute(tx);
  const { parsed, typed, categories, given, merged, filters } = await readQuery(tx, query);
  const anchors = anchorsOf({ ...parsed, typed }, filters);
  if (anchors.length === 0) throw fieldError("search", "Type some words or choose a filter first.");
  const price = priceRange(merged);
  // Price and battery are compared as numbers.
  const exact = filters.filter(({ name }) => name !== "price" && name !== "battery");
  const queries = [
    ...parsed.words.map((word, index) => asTypedOrCorrected(word, typed[index])),
    ...parsed.purposes.map(lexeme),
    ...parsed.excluded.map((one) => `!(${allOfExcluded(one)})`),
    ...exact.map(queryOf),
  ];
  const names = query.category?.map((id) => categories.get(id)?.name ?? "");
  const labels = [names?.join(" or "), ...labelsOf(given).map(({ label }) => label)];
  return {
    version: documentVersion,
    query: queries.length > 0 ? allOf(queries) : null,
    min_cents: price.min,
    max_cents: price.max,
    min_battery: merged.battery ?? null,
    anchors,
    compile_again_at: typed.every(({ isKnown }) => isKnown) ? null : dayAfter(at),
    label: [query.q, ...labels].filter(Boolean).join(", "),
  };
}

/**
 * Like `compileSearch`, but stops the emails of an invalid search. A member who restarts them gets
 * the reason.
 */
export async function compileOrStop(tx: Tx, search: string, at: Date) {
  try {
    return await compileSearch(tx, readSearch(search).query, at);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { version: documentVersion, compile_again_at: null, frequency: "never" };
  }
}

/** Matches a word as typed and as corrected: a typo today may be a new model's name tomorrow. */
function asTypedOrCorrected(word: QueryWord, typed: QueryWord | undefined): string {
  return typed && typed.text !== word.text ? `(${oneOf(word)} | ${oneOf(typed)})` : oneOf(word);
}

function dayAfter(at: Date): Date {
  return new Date(at.getTime() + 24 * 3_600_000);
}

/** `typed`: the words before they were corrected. */
type Words = { words: QueryWord[]; typed: QueryWord[]; purposes: string[] };

/**
 * Returns tokens of the condition that probably matches the fewest listings. Each matching listing
 * has at least one of these tokens.
 */
function anchorsOf({ words, typed, purposes }: Words, filters: ActiveFilter[]): string[] {
  const pairs = words.map((word, index) => [word, typed[index] ?? word] as const);
  const [longest] = pairs.toSorted(([a], [b]) => b.text.length - a.text.length);
  if (longest) return [...new Set(longest.flatMap(anchorsOfWord))];
  const [rarest] = filters.toSorted((a, b) => rank.indexOf(a.name) - rank.indexOf(b.name));
  return rarest?.tokens ?? purposes.slice(0, 1);
}

function anchorsOfWord({ text, parts, isPrefix }: QueryWord): string[] {
  const inParts = parts.length > 1 ? parts.slice(0, 1) : [];
  return [text, ...inParts, ...(isPrefix ? [`${text.slice(0, 2)}*`] : [])];
}

/** Most selective first. */
const rank: ActiveFilter["name"][] = [
  "near",
  "gpu",
  "cpu",
  "screen",
  "storage",
  "category",
  "ram",
  "year",
  "battery",
  "condition",
  "verified",
  "price",
];
