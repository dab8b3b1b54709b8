import { sql } from "kysely";
import type { Tx } from "../../db/database.ts";
import { lexeme } from "../search-index/listing-document.ts";
import { activeFilters, allOf, anyOf, range } from "./active-filters.ts";
import type { Excluded, ParsedQuery, QueryWord } from "./parse-query.ts";

/**
 * `every`: each word has to be in the listing; `some`: for ranking; `first`: of many words the first ones, for where
 * no listing has them all.
 */
export type WordsQuery = { every: string[]; some: string; first: string } | undefined;

/** Finding any of more words takes too long. */
const mostAlternatives = 8;

export function wordsQuery({
  words,
  purposes,
  excluded,
}: Pick<ParsedQuery, "words" | "purposes" | "excluded">): WordsQuery {
  const wanted = [...words.map(oneOf), ...purposes.map(lexeme)];
  const without = excluded.map(noneOf);
  if (wanted.length + without.length === 0) return undefined;
  // A condition that only excludes would have the index read all its tokens.
  const each = wanted.length > 0 ? wanted : [everyListing];
  return {
    every: [...each, ...without],
    some: anyWord(each),
    first: allOf([anyWord(each.slice(0, mostAlternatives)), ...without]),
  };
}

/** Each listing is in one of the buckets of its quality. */
const everyListing = anyOf(range("quality", 0, 63));

/** Without what all its parts say: a phrase excludes listings that have all its words. */
export function noneOf({ words, purposes, filters }: Excluded): string {
  const ofFilters = activeFilters(filters).map(({ query }) => query);
  return `!(${allOf([...words.map(oneOf), ...purposes.map(lexeme), ...ofFilters])})`;
}

function anyWord(each: string[]): string {
  return `(${each.join(" | ")})`;
}

/** The word as it is written or in its parts, and what begins with it if it may not be complete. */
export function oneOf({ text, parts, isPrefix, isKnown }: QueryWord): string {
  const inParts = parts.length > 1 ? [`(${allOf(parts.map(lexeme))})`] : [];
  const beginning = isPrefix && !isKnown ? [`${lexeme(text)}:*`] : [];
  return `(${[lexeme(text), ...inParts, ...beginning].join(" | ")})`;
}

/** The words that none of these listings has. */
export async function missingWords(
  tx: Tx,
  { words }: Pick<ParsedQuery, "words">,
  found: { product_id: string }[],
): Promise<string[]> {
  const ids = found.map(({ product_id }) => product_id);
  const { rows } = await sql<{ at: number }>`
    select asked.at::integer from unnest(${words.map(oneOf)}::text[]) with ordinality as asked (query, at)
    where not exists (
      select from search_documents d where d.product_id = any(${ids}::uuid[]) and d.tokens @@ asked.query::tsquery)
    order by asked.at`.execute(tx);
  return rows.map(({ at }) => words[at - 1]?.text ?? "");
}
