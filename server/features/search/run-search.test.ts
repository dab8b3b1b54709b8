import { expect, test } from "vitest";
import { selectiveFilters } from "./run-search.ts";

const verified = { tokens: ["=verified1"] };
const battery = { tokens: Array.from({ length: 50 }, (_, at) => `=battery${at}`) };

/** Each of two filters passes half of the listings; a quarter pass both. */
const failures = [0, 1, 2, 3].map((bits) => ({ bits, count: 25 }));

test("a search uses the index for a filter only if the index saves more row reads than its token lookups cost", () => {
  expect(selectiveFilters([battery, verified], failures, 1_000)).toEqual([verified]);
});

test("a search uses the index for a selective filter, however many tokens the filter has", () => {
  expect(selectiveFilters([battery], [{ bits: 1, count: 100 }], 1_000)).toEqual([battery]);
});

test("a search looks up no tokens for a filter that another index covers", () => {
  const near = { ...verified, hasIndex: true } as const;
  expect(selectiveFilters([near], failures, 1_000)).toEqual([]);
});

test("a search over few listings doesn't use the index for its filters", () => {
  expect(selectiveFilters([battery, verified], failures, 40)).toEqual([]);
});
