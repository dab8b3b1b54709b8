import { lexeme } from "../search-index/listing-document.ts";
import { allOf, anyOf } from "./active-filters.ts";
import type { ParsedQuery, QueryWord } from "./parse-query.ts";

/** `every`: each word has to be in the listing; `some`: for ranking, and where no listing has them all. */
export type WordsQuery = { every: string; some: string } | undefined;

export function wordsQuery({
  words,
  purposes,
}: Pick<ParsedQuery, "words" | "purposes">): WordsQuery {
  const each = [...words.map(oneOf), ...purposes.map(lexeme)];
  if (each.length === 0) return undefined;
  return { every: allOf(each), some: `(${each.join(" | ")})` };
}

/** The word as it is written or in its parts, and while it is being typed what begins with it. */
function oneOf({ text, parts, isPrefix }: QueryWord): string {
  const inParts = parts.length > 1 ? [`(${allOf(parts.map(lexeme))})`] : [];
  const beginning = isPrefix ? [`${lexeme(text)}:*`] : [];
  return `(${[lexeme(text), ...inParts, ...beginning].join(" | ")})`;
}

/** A `tsquery` that a document passes if it fails at most one of the filters. */
export function failsAtMostOne(
  words: string | undefined,
  filters: { query: string }[],
): string | undefined {
  const queries = filters.map(({ query }) => query);
  const without = queries.map((_, left) =>
    allOf(queries.filter((_query, index) => index !== left)),
  );
  const mostFilters =
    queries.length > 1 ? [`(${without.map((one) => `(${one})`).join(" | ")})`] : [];
  const parts = [...(words === undefined ? [] : [words]), ...mostFilters];
  return parts.length === 0 ? undefined : allOf(parts);
}

/** With one more condition: some of these tokens. */
export function restrictedTo(query: string | undefined, tokens: string[]): string {
  return query === undefined ? anyOf(tokens) : `${query} & ${anyOf(tokens)}`;
}
