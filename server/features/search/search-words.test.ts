import { describe, expect } from "vitest";
import { listSuggestions } from "#contract/search.ts";
import { listing } from "../../testing/marketplace.ts";
import { createVisitor } from "../../testing/people.ts";
import { mac, names, searchFor, searchTest, weak, x1 } from "../../testing/searches.ts";
import { refreshVocabulary } from "./typos-and-suggestions.ts";

const test = searchTest();

describe("GET /search", () => {
  test("a search understands filters written as a sentence", async ({ shop, seller }) => {
    for (const laptop of [x1, weak, mac]) await listing(seller, laptop);
    const q = "16 GB ThinkPad under $500 near Portland with a good battery";
    const answer = await searchFor(shop, { q });
    expect(answer.items.map(({ product_name }) => product_name)).toEqual([x1.product_name]);
    const place = "within 30 miles of Portland, Oregon";
    expect(answer.filters.map((one) => [one.filter, one.label, one.rest, one.values])).toEqual([
      ["ram", "16 GB RAM", "thinkpad under $500 near portland with a good battery", ["16"]],
      ["price", "up to $500", "16 gb thinkpad near portland with a good battery", []],
      ["near", place, "16 gb thinkpad under $500 with a good battery", []],
      ["battery", "battery at least 80%", "16 gb thinkpad under $500 near portland", ["80"]],
    ]);
  });

  test("a search matches words in any order, prefixes, numbers and units", async ({
    shop,
    seller,
  }) => {
    await listing(seller, x1);
    for (const q of [
      "carbon x1",
      "lenovo 16gb",
      "i7-1165G7",
      "1165g7",
      '14"',
      "512 gb ssd",
      "x1carbon",
      "carb",
    ])
      expect(await names(shop, { q }), q).toEqual([x1.product_name]);
    for (const q of ["macbook", "t480", "unobtainium", "sam", "pri", "qual"])
      expect(await names(shop, { q }), q).toEqual([]);
  });

  test("a word after a minus sign excludes laptops whose listings contain the word", async ({
    shop,
    seller,
  }) => {
    for (const laptop of [x1, weak, mac]) await listing(seller, laptop);
    expect(await names(shop, { q: "thinkpad" })).toHaveLength(2);
    for (const q of ["thinkpad -x1", "thinkpad -i7", "-x1 -macbook", '-"x1 carbon" -mac -air'])
      for (const sort of ["relevance", "price"])
        expect(await names(shop, { q, sort }), q).toEqual([weak.product_name]);
    expect(await names(shop, { q: '-"x1 yoga" thinkpad' })).toHaveLength(2);
    const { excluded, items } = await searchFor(shop, { q: "unobtainium thinkpad -x1" });
    expect(excluded).toEqual([{ text: "x1", rest: "unobtainium thinkpad" }]);
    expect(items.map(({ product_name }) => product_name)).toEqual([weak.product_name]);
  });

  test("a search corrects typos, but doesn't change known words, short words or words with digits", async ({
    shop,
    seller,
  }) => {
    for (const laptop of [x1, weak, mac]) await listing(seller, laptop);
    await refreshVocabulary(shop.deps);
    const answer = await searchFor(shop, { q: "thinkpd cabron" });
    expect(answer.corrected).toEqual([
      { from: "thinkpd", to: "thinkpad" },
      { from: "cabron", to: "carbon" },
    ]);
    expect(answer.items.map(({ product_name }) => product_name)).toEqual([x1.product_name]);
    for (const q of ["lenovo", "air", "t481", "x1"])
      expect((await searchFor(shop, { q })).corrected, q).toEqual([]);
  });

  test("special characters in a query don't make the search fail", async ({ shop, seller }) => {
    await listing(seller, x1);
    for (const q of [
      "'",
      "\\",
      "a' | 'b",
      ":*",
      "constructor",
      "!carbon",
      "💻",
      "((",
      "<->",
      "%",
      "x".repeat(200),
    ])
      expect((await searchFor(shop, { q })).total, q).toBeGreaterThanOrEqual(0);
  });

  test("a search response lists the model lines named in the query", async ({ shop }) => {
    const { lines } = await searchFor(shop, { q: "macbook air or xps 13 16gb -thinkpad" });
    expect(lines.map(({ label }) => label)).toEqual(["MacBook Air", "XPS 13"]);
    expect(lines[1]?.rest).toBe("macbook air or 16gb -thinkpad");
  });

  test("a query with a misspelled word and a part number finds the laptop that matches both", async ({
    shop,
    seller,
  }) => {
    const both = { ...x1, product_name: "Lenovo Carbon 20XW00A1US" };
    for (const laptop of [weak, both, { ...x1, product_name: "Carbon 20XW00FFUS" }])
      await listing(seller, laptop);
    await refreshVocabulary(shop.deps);
    for (const q of ["carbn 20xw00a1us", "20XW-00A1US lenvo", "thinkpd 20xw00a1us"])
      expect((await names(shop, { q }))[0]).toBe(both.product_name);
  });
});

test("GET /suggestions completes the last word of the typed text", async ({ shop, seller }) => {
  for (const laptop of [x1, weak, mac]) await listing(seller, laptop);
  await refreshVocabulary(shop.deps);
  const suggest = async (q: string) =>
    (await createVisitor(shop).call(listSuggestions, { query: { q } })).items;
  expect(await suggest("thi")).toEqual([{ text: "thinkpad", kind: "model" }]);
  expect(await suggest("16gb leno")).toEqual([{ text: "16gb lenovo", kind: "brand" }]);
  expect(await suggest("por")).toEqual([{ text: "portland", kind: "word" }]);
  expect((await suggest("thinkpad near portl"))[0]).toEqual({
    text: "thinkpad near Portland, Oregon",
    kind: "place",
  });
  for (const q of ["", "t", "%%", "zzz", "near p", "near zzz"])
    expect(await suggest(q), q).toEqual([]);
});
