import { expect, vi } from "vitest";
import { listSavedSearches, saveSearch } from "#contract/saved-searches.ts";
import { listSuggestions, search } from "#contract/search.ts";
import { FairQueue } from "#server/fair-queue.ts";
import { shopTest } from "#server/testing/fixtures.ts";
import { listing } from "#server/testing/marketplace.ts";
import { createVisitor, errorOf } from "#server/testing/people.ts";

const test = shopTest({ pages: true, env: { TRUST_PROXY: "loopback" } });

/** Search normalization turns this character into 18 characters and four words. */
const wide = "\ufdfa";

test.for([
  ["200 characters that become 3,600", wide.repeat(200), "Search with at most 200 characters."],
  ["12 characters that become 216", wide.repeat(12), "Search with at most 200 characters."],
  ["a hundred words", "a ".repeat(100), "Search with at most 24 words."],
  ["a hundred words without a space", "a/".repeat(100), "Search with at most 24 words."],
  ["a hundred numbers", "1,".repeat(100), "Search with at most 24 words."],
  ["a NUL", "laptop \0", "Please leave out control characters."],
] as const)("a search and a saved search reject %s", async ([, q, message], { shop, buyer }) => {
  const asked = errorOf(createVisitor(shop).call(search, { query: { q } }));
  expect(await asked).toMatchObject({ status: 400, message });
  const body = { search: new URLSearchParams({ q }).toString() };
  const fields = { search: message };
  const saved = errorOf(buyer.call(saveSearch, { body }));
  expect(await saved).toMatchObject({ status: 400, message, fields });
});

test("§9.10: searches with 200 accented characters or 24 words are accepted", async ({ shop }) => {
  const visitor = createVisitor(shop);
  for (const q of ["é".repeat(200), "laptop ".repeat(24)])
    expect((await visitor.call(search, { query: { q } })).items).toEqual([]);
});

test("a town or a suggestion query that normalization makes too long is rejected", async ({
  shop,
}) => {
  const visitor = createVisitor(shop);
  const near = errorOf(visitor.call(search, { query: { near: wide.repeat(80) } }));
  expect((await near).fields).toEqual({ near: "That town's name is too long." });
  const suggested = errorOf(visitor.call(listSuggestions, { query: { q: wide.repeat(100) } }));
  expect(await suggested).toMatchObject({ message: "Search with at most 100 characters." });
});

test.for([
  ["laptop under $21474837", "up to $1,000,000"],
  [`laptop under $${"9".repeat(150)}k`, "up to $1,000,000"],
  ["thinkpad 8.5 or 16 gb", "16 GB RAM"],
  ["thinkpad 8.5, 8 or 16 gb ram", "8 GB or 16 GB RAM"],
] as const)(
  "a search for %s applies the filter %s and can be saved",
  async ([q, label], { shop, seller, buyer }) => {
    const name = "ThinkPad laptop with 16 GB RAM";
    const id = await listing(seller, { product_name: name, facts: { ram_gb: 16 } });
    const found = await createVisitor(shop).call(search, { query: { q } });
    expect(found.filters.map((filter) => filter.label)).toEqual([label]);
    expect(found.items.map(({ _id }) => _id)).toContain(id);
    const body = { search: new URLSearchParams({ q }).toString() };
    const { insertedId } = await buyer.call(saveSearch, { body });
    const saved = await buyer.call(listSavedSearches, {});
    expect(saved.find(({ _id }) => _id === insertedId)).toMatchObject({ label: q, problem: null });
  },
);

test("every queue used for a search page counts the request toward the visitor's network", async ({
  shop,
  onTestFinished,
}) => {
  const run = vi.spyOn(FairQueue.prototype, "run");
  onTestFinished(() => run.mockRestore());
  const headers = { "x-forwarded-for": "2001:db8:1:2:3::4" };
  expect((await fetch(`${shop.url}/search?q=laptop`, { headers })).status).toBe(200);
  const networks = run.mock.calls.map(([network]) => network);
  expect(networks.length).toBeGreaterThan(1);
  expect(new Set(networks)).toEqual(new Set(["2001:db8:1:2::/64"]));
});
