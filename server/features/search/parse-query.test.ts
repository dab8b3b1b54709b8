import { expect, test } from "vitest";
import { milesChoices, toKm, toMiles } from "#contract/distance.ts";
import { labelsOf } from "./labels.ts";
import { type Filters, parseQuery } from "./parse-query.ts";

const queries: [text: string, filters: Filters][] = [
  ["at least 16gb", { ram: [16, 18, 20, 24, 32, 36, 40, 48, 64, 96, 128] }],
  ["64 GB or more", { ram: [64, 96, 128] }],
  ["2TB minimum", { storage: [2048, 4096, 8192] }],
  ["over 1tb", { storage: [2048, 4096, 8192] }],
  ["17 inch or bigger", { screen: [17, 18] }],
  ["8 or 16 gb ram", { ram: [8, 16] }],
  ["1 or 2 TB", { storage: [1024, 2048] }],
  ["i5 or i7", { cpu: ["i5", "i7"] }],
  ["i7/i9, RTX 3070 or RTX 3080", { cpu: ["i7", "i9"], gpu: ["rtx3070", "rtx3080"] }],
  ["two hundred dollars", { maxPrice: 200 }],
  ["thirteen inch", { screen: [13] }],
  ["under USD 750", { maxPrice: 750 }],
  ["thinkpad under €750", { maxPrice: 750 }],
  ["¥60,000 to ¥90,000", { minPrice: 60_000, maxPrice: 90_000 }],
  ["under 199.950 KWD", { maxPrice: 199.95 }],
  ["Kč 9000 or less", { maxPrice: 9000 }],
  ["four hundred euros", { maxPrice: 400 }],
  ["my max is 700", { maxPrice: 700 }],
  ["between 2019 and 2021", { year: { from: 2019, to: 2021 } }],
  ["between $2019 and $2021", { minPrice: 2019, maxPrice: 2021 }],
  ["bought in 2021 or later", { year: { from: 2021 } }],
  ["gaming laptop in Denver", { near: "denver" }],
  ["around Austin, under $500", { near: "austin", maxPrice: 500 }],
  ["i5, under $550, Boston area", { cpu: ["i5"], maxPrice: 550, near: "boston" }],
  ["in orange", {}],
  ["exellent condition, good batery", { condition: ["Excellent"], battery: 80 }],
  ["lease return", {}],
  ["thinkpad, not 8gb", {}],
  ["no i3 or i5, 16gb", { ram: [16] }],
  ["no scratches, 16gb", { ram: [16] }],
  ["it doesn't need a good battery", {}],
  ["not near Leeds", {}],
  ["nothing over $700", { maxPrice: 700 }],
  ["no less than $400", { minPrice: 400 }],
  ["not older than 2020", { year: { from: 2020 } }],
  ["not a penny more than $400", { maxPrice: 400 }],
  ["$300-ish", { minPrice: 240, maxPrice: 360 }],
  ["$1000+", { minPrice: 1000 }],
  ["price 400-600", { minPrice: 400, maxPrice: 600 }],
  ["under 300 battery cycles", {}],
  ["over 400 nits", {}],
  ["around 2020", {}],
  ["anything faster than an i3", {}],
  ["i3 is too slow", {}],
  ["can be upgraded to 64gb", {}],
  ["with a 32gb usb stick", {}],
  ["8gb graphics card", {}],
  ["with 2 ram slots", {}],
  ["more ram than 64gb", { ram: [96, 128] }],
  ["4, 8 or 16 gb", { ram: [4, 8, 16] }],
  ["17 inch at least", { screen: [17, 18] }],
  ["15.6 full hd", { screen: [15.6] }],
  ["macos 13.5", {}],
  ["under $500 in good condition", { maxPrice: 500, condition: ["Excellent", "Good"] }],
  ["like new, battery health 85 %", { condition: ["Excellent"], battery: 85 }],
  ["like new battery health 85 %", { condition: ["Excellent"], battery: 85 }],
  ["ryzen 5 2021 or newer", { cpu: ["ryzen5"], year: { from: 2021 } }],
  ["1440p screen", {}],
  ["excellent keyboard", {}],
  ["linux mint", {}],
  ["perfect condition", { condition: ["Excellent"] }],
  ["good working condition", { condition: ["Excellent", "Good"] }],
  ["trusted brand", {}],
  ["in Sydney or Melbourne", {}],
  ["battery 50wh", {}],
];

test.for(queries)("parseQuery finds the right filters in %s", ([text, filters]) => {
  expect(parseQuery(text).filters).toEqual(filters);
});

test.each([
  "not a chromebook",
  "thinkpad, no chromebook",
  "thinkpad without scratches",
  "thinkpad -chromebook",
  "-chromebook",
])("the query %s doesn't search for the excluded word", (query) => {
  const words = parseQuery(query).words.map(({ text }) => text);
  expect(words.filter((word) => /chromebook|scratches/.test(word))).toEqual([]);
});

test("a minus sign before a word or quoted phrase excludes it", () => {
  const { words, excluded, understood } = parseQuery('16gb ThinkPad -X1 -"macbook air" -i5 -the');
  expect(words.map(({ text }) => text)).toEqual(["thinkpad"]);
  expect(understood.map(({ rest }) => rest)).toEqual(['thinkpad -x1 -"macbook air" -i5 -the']);
  expect(excluded).toMatchObject([
    { text: "x1", words: [{ text: "x1" }], rest: '16gb thinkpad -"macbook air" -i5 -the' },
    { text: "macbook air", words: [{ text: "macbook" }, { text: "air" }] },
    { text: "i5", words: [], filters: { cpu: ["i5"] } },
  ]);
});

test("a minus sign inside a name or before a number doesn't exclude anything", () => {
  expect(parseQuery("x1-carbon 15-dw1000 - hp").words.map(({ text }) => text)).toContain("hp");
  expect(parseQuery("x1-carbon 15-dw1000 - hp -5").excluded).toEqual([]);
  expect(parseQuery("i7-1165g7 $300-500").filters).toEqual(
    parseQuery("i7-1165g7, $300 to $500").filters,
  );
});

test("a distance label shows the chosen miles, and converts kilometers to miles", () => {
  expect(milesChoices.map((miles) => toMiles(toKm(miles)))).toEqual([...milesChoices]);
  expect(["within 40 km of Leeds", "within 25 miles of Leeds"].map(labelOfPlace)).toEqual([
    "within 25 miles of Leeds, England",
    "within 25 miles of Leeds, England",
  ]);
  expect(labelOfPlace("near Leeds")).toBe("within 30 miles of Leeds, England");
});

function labelOfPlace(text: string): string | undefined {
  return labelsOf(parseQuery(text).filters)[0]?.label;
}

test("a query doesn't search for the words that exclude a property", () => {
  const words = parseQuery("thinkpad but not 8gb").words.map(({ text }) => text);
  expect(words).toEqual(["thinkpad"]);
});

test("a label says “at least” or “up to” for four or more consecutive sizes at either end of the range", () => {
  const label = (text: string) => labelsOf(parseQuery(text).filters)[0]?.label;
  expect(label("at least 256 GB ssd")).toBe("at least 256 GB storage");
  expect(label("16gb+")).toBe("at least 16 GB RAM");
  expect(label("no more than 8 GB of RAM")).toBe("up to 8 GB RAM");
  expect(labelsOf({ ram: [4, 8, 16, 64] })[0]?.label).toBe("4 GB or 8 GB or 16 GB or 64 GB RAM");
});

test("a size or a year at the end of a query is not treated as a prefix", () => {
  const prefixes = (text: string) => parseQuery(text).words.filter((word) => word.isPrefix);
  expect(prefixes("framework 13")).toEqual([]);
  expect(prefixes("macbook 2019")).toEqual([]);
  expect(prefixes("elitebook 840")).toHaveLength(1);
});
