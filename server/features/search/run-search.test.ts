import { expect, test } from "vitest";
import { selectiveFilters } from "./run-search.ts";

const verified = { tokens: ["=verified1"] };
const battery = { tokens: Array.from({ length: 50 }, (_, at) => `=battery${at}`) };

/** Half of the listings pass each of two filters, a quarter both. */
const failures = [0, 1, 2, 3].map((bits) => ({ bits, count: 25 }));

test("the index is asked only for filters that cost less than the rows they save", () => {
  expect(selectiveFilters([battery, verified], failures, 1_000)).toEqual([verified]);
});

test("the index is asked for a filter that few pass, whatever its tokens", () => {
  expect(selectiveFilters([battery], [{ bits: 1, count: 100 }], 1_000)).toEqual([battery]);
});

test("tokens are not asked for if another index answers the filter", () => {
  const near = { ...verified, hasIndex: true } as const;
  expect(selectiveFilters([near], failures, 1_000)).toEqual([]);
});

test("a search with few listings is not narrowed", () => {
  expect(selectiveFilters([battery, verified], failures, 40)).toEqual([]);
});
