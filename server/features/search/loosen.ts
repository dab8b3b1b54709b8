import { sql } from "kysely";
import type { SearchAnswer } from "#contract/search.ts";
import type { Tx } from "../../db/database.ts";
import { anyWord, oneOf } from "./conditions.ts";
import type { Search } from "./matches.ts";
import type { ParsedQuery } from "./parse-query.ts";
import { type Results, runSearch, type SearchPage } from "./run-search.ts";

/** The maximum number of alternatives in a search for any of the words. More takes too long. */
const maxAlternatives = 8;

type LoosenInput = {
  found: Results;
  labels: SearchAnswer["filters"];
  parsed: ParsedQuery;
  page: SearchPage;
};
type Loosened = { results: Results; loosened: SearchAnswer["loosened"] };

/**
 * Drops the filter whose removal finds the most laptops. If no removal helps, searches for any of
 * the words.
 */
export async function loosen(
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

/** The index of the filter whose removal finds the most laptops; -1 if no removal helps. */
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

/** The search without one filter. Without a place, it sorts by relevance instead of distance. */
function without(request: Search, index: number): Search {
  const isPlace = request.filters[index]?.name === "near";
  const filters = request.filters.filter((_, at) => at !== index);
  const sort = isPlace && request.sort === "distance" ? "relevance" : request.sort;
  return { ...request, filters, sort };
}

/** The words that none of these listings has. */
async function missingWords(
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
