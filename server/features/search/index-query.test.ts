import { sql } from "kysely";
import { expect, test } from "vitest";
import { type ActiveFilter, anyOf } from "./active-filters.ts";
import { queryOfAll, queryOfMost } from "./index-query.ts";
import { orderOf, withinBest } from "./orders.ts";

const verified = filterOf("verified", ["=verified1"]);
const near = filterOf(
  "near",
  Array.from({ length: 50 }, (_, town) => `=place${town}`),
);

function filterOf(name: ActiveFilter["name"], tokens: string[]): ActiveFilter {
  return { name, query: anyOf(tokens), test: sql<boolean>`true` };
}

/** Half of the documents pass each of the filters, a quarter both. */
function wanted(documents: number) {
  const sample = Array.from({ length: 100 }, (_, at) => ({
    ...{ failed: at % 4, key: 0 },
    ...{ quality: 0, place: 0, value: 0 },
  }));
  return { sample, each: documents / sample.length };
}

test("the index is asked only for filters that cost less than the rows they spare", () => {
  const asked = { words: ["'thinkpad'"], filters: [near, verified] };
  expect(queryOfAll(asked, wanted(100_000)).queries).toEqual(["'thinkpad'", verified.query]);
  expect(queryOfMost(asked, wanted(100_000)).queries).toEqual(["'thinkpad'"]);
  expect(queryOfAll({ words: [], filters: [near] }, wanted(100_000)).queries).toEqual([]);
});

test("the index is asked for a filter that few pass, whatever its tokens", () => {
  const { sample, each } = wanted(100_000);
  const failing = sample.map((one) => ({ ...one, failed: one.failed | 1 }));
  const { queries } = queryOfAll({ words: [], filters: [near] }, { sample: failing, each });
  expect(queries).toEqual([near.query]);
});

test("of few documents the rows are tested", () => {
  const asked = { words: ["'thinkpad'"], filters: [near, verified] };
  expect(queryOfAll(asked, wanted(4_000)).queries).toEqual(["'thinkpad'"]);
});

test("the index is asked for no bucket above the highest", () => {
  const sample = Array.from({ length: 100 }, () => ({
    ...{ failed: 0, key: 60, quality: 60, place: 0, value: 960 },
  }));
  const { tokens } = withinBest(sample, {
    order: orderOf("relevance", undefined),
    ...{ place: undefined, wanted: 25 },
  });
  expect(tokens).toBe("('=quality/4=15')");
});
