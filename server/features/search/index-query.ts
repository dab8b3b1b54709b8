import type { ActiveFilter } from "./active-filters.ts";

/** A document of the sample: a bit for each filter that it fails, its bucket in the order asked for, its quality, its town, and
 * what the order compares. */
export type Sampled = {
  failed: number;
  key: number;
  quality: number;
  place: number;
  value: number;
};

/** What the index is asked for: the words, and the filters that are worth it. */
export type IndexQuery = { words: string[]; filters: ActiveFilter[] };

type Condition = { query: string; tokens: number; passes: (one: Sampled) => boolean };

/** Of so few documents the rows are read and tested, whatever the filters. */
const fewDocuments = 4_000;
/** For each document that passes a filter, each token of the filter takes this part of the time of reading a row. */
const tokenCost = 1 / 20;

type Wanted = {
  /** The documents of the sample that have the words. */
  sample: Sampled[];
  /** How many documents one of the sample stands for. */
  each: number;
};

/** Every `tsquery` that a document has to match, and how many documents are estimated to match all. */
export type Narrowed = { queries: string[]; found: number };

/** What finds every document that passes all filters. */
export function queryOfAll({ words, filters }: IndexQuery, wanted: Wanted): Narrowed {
  const conditions = filters.map(
    ({ query }, index): Condition => ({
      ...{ query, tokens: countTokens(query) },
      passes: ({ failed }) => (failed & (2 ** index)) === 0,
    }),
  );
  return narrowed(words, conditions, wanted);
}

/** What finds every document that fails at most one of them: of two filters it passes one. */
export function queryOfMost({ words, filters }: IndexQuery, wanted: Wanted): Narrowed {
  const pairs = filters.flatMap((one, index) =>
    filters.slice(index + 1).map((other, after): Condition => {
      const both = 2 ** index + 2 ** (index + 1 + after);
      const query = `(${one.query} | ${other.query})`;
      return {
        ...{ query, tokens: countTokens(query) },
        passes: ({ failed }) => (failed & both) !== both,
      };
    }),
  );
  return narrowed(words, pairs, wanted);
}

function countTokens(query: string): number {
  return query.split("' | '").length + query.split(") | (").length - 1;
}

/** With the conditions that save the most time, as long as one saves any. */
function narrowed(words: string[], conditions: Condition[], { sample, each }: Wanted): Narrowed {
  const queries = [...words];
  let [left, rest] = [sample, conditions];
  while (left.length * each > fewDocuments && rest.length > 0) {
    const saved = rest.map(
      ({ tokens, passes }) => left.length - left.filter(passes).length * (1 + tokens * tokenCost),
    );
    const most = Math.max(...saved);
    const best = rest[saved.indexOf(most)];
    if (!best || most <= 0) break;
    queries.push(best.query);
    left = left.filter(best.passes);
    rest = rest.filter((one) => one !== best);
  }
  return { queries, found: left.length * each };
}
