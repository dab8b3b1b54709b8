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

/** The word as it is written or in its parts, and what begins with it if it may not be complete. */
export function oneOf({ text, parts, isPrefix, isKnown }: QueryWord): string {
  const inParts = parts.length > 1 ? [`(${allOf(parts.map(lexeme))})`] : [];
  const beginning = isPrefix && !isKnown ? [`${lexeme(text)}:*`] : [];
  return `(${[lexeme(text), ...inParts, ...beginning].join(" | ")})`;
}

/** With one more condition: some of these tokens. */
export function restrictedTo(query: string | undefined, tokens: string[]): string {
  return query === undefined ? anyOf(tokens) : `${query} & ${anyOf(tokens)}`;
}
