import { expect } from "vitest";
import { saveSearch } from "#contract/saved-searches.ts";
import { search } from "#contract/search.ts";
import { listSuggestions } from "#contract/suggestions.ts";
import { shopTest } from "../../testing/fixtures.ts";
import { createVisitor, errorOf } from "../../testing/people.ts";

const test = shopTest();

/** Eighteen characters and four words once it is folded. */
const ligature = "\ufdfa";

test("the limit of a search counts characters and words after folding", async ({ shop, buyer }) => {
  const visitor = createVisitor(shop);
  const long = { message: "Search with at most 200 characters.", code: "INVALID_INPUT" };
  for (const q of [ligature.repeat(200), ligature.repeat(12), "é".repeat(201)])
    expect(await errorOf(visitor.call(search, { query: { q } }))).toMatchObject(long);
  const suggestion = visitor.call(listSuggestions, { query: { q: ligature.repeat(100) } });
  expect(await errorOf(suggestion)).toMatchObject({
    message: "Search with at most 100 characters.",
  });
  const saved = buyer.call(saveSearch, { body: { search: `q=${ligature.repeat(200)}` } });
  expect(await errorOf(saved)).toMatchObject({ code: "INVALID_INPUT" });
  const words = Array.from({ length: 25 }, (_, n) => `w${n}`);
  expect(await errorOf(visitor.call(search, { query: { q: words.join(" ") } }))).toMatchObject({
    message: "Search with at most 24 words.",
  });
  await visitor.call(search, { query: { q: "é".repeat(200) } });
  await visitor.call(search, { query: { q: words.slice(1).join(" ") } });
});

test("a price above what the database holds is searched as the highest price", async ({ shop }) => {
  const visitor = createVisitor(shop);
  for (const q of ["laptop under $21474837", "laptop over $99999999999"])
    await visitor.call(search, { query: { q } });
});

test("the longest search in the widest letters can be saved", async ({ buyer }) => {
  const wide = (count: number) =>
    Array.from({ length: count }, (_, n) => String.fromCodePoint(0x4e00 + n * 7)).join("");
  await buyer.call(saveSearch, { body: { search: `q=${wide(200)}&near=${wide(80)}` } });
});
