import { readFileSync } from "node:fs";
import { searchSorts } from "../../contract/search.ts";

export const commonWords = [
  "thinkpad",
  "macbook air",
  "16gb thinkpad under $500",
  "dell xps 13",
  "core i7 32 GB",
  "thinkpd x1",
  "gaming laptop",
  "hp elitebook 512gb",
  "laptop",
  "14 inch with a good battery",
];
const words = [
  ...commonWords,
  "surface laptop 4 near Leeds",
  "framework 13",
  "ryzen 5 under 400",
  "i7-1165g7",
  "zenbok 14",
  "swift 3 1 TB",
  "",
  "16 GB ThinkPad under $500 near Austin with a good battery",
  "gram 16",
  "lenovo",
];

const filters = [
  {},
  { ram: "16" },
  { maxPrice: "500" },
  { cpu: "i5,i7", condition: "Excellent" },
  { storage: "512", battery: "80", verified: "true" },
  { near: "Berlin", within: "100" },
  { year: "2020-2023", minPrice: "200", maxPrice: "900" },
];

function addressOf(query) {
  const given = Object.entries(query).filter(([, value]) => value !== "");
  return `/api/search?${new URLSearchParams(given)}`;
}

/** Combines words with filters. Searches once in the default order and once in a rotating order. */
export function commonSearches() {
  const all = words.flatMap((q, at) =>
    filters.flatMap((filter, which) => {
      const sort = searchSorts[(at + which) % (searchSorts.length - 1)];
      return [
        { q, ...filter, sort },
        { q, ...filter },
      ];
    }),
  );
  // Similar searches should not follow each other.
  return all.map((_, at) => addressOf(all[(at * 37) % all.length]));
}

const unseenFile = new URL("../relevance/unseen/searches.json", import.meta.url);

/** Reads searches written by someone who had not seen the search. */
export function unseenSearches() {
  return JSON.parse(readFileSync(unseenFile, "utf8")).map((query) => `/api/search?${query}`);
}

export const rankedWords = words.filter((q) => q !== "");

const pieces = [
  "thinkpad",
  "x1",
  "carbon",
  "macbook",
  "air",
  "gen",
  "battery",
  "ssd",
  "16gb",
  "i7",
  "lenovo",
  "leeds",
  "charger",
  "qqqq",
  "thnkpad",
  "macbok",
  "elitbook",
  "zz",
  "th",
  "ma",
  "a1",
  "used",
  "'",
  "&",
  "|",
  ":*",
  "((",
  "💻",
  "<->",
  "=sample00",
  "near",
  "under",
  "$",
  "within 500 km of",
  "gaming",
  "editing",
  "student",
  "cheap",
  "light",
  "scratch",
  "wiped",
  "desk",
  "new",
  "2019",
];

/** Makes hard queries: long and short texts, nonsense, many values and wide ranges. */
export function adversarialQueries(count) {
  let state = 7;
  const next = (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const wide = {
    ram: "4,8,12,16,24,32,48,64",
    storage: "128,256,512,1024,2048",
    cpu: "i3,i5,i7,i9,ryzen5,ryzen7,m1,m2",
    gpu: "rtx,gtx,mx,iris,uhd,radeon",
    screen: "11,12,13,14,15,16,17",
    condition: "Excellent,Good,Fair",
    year: "2000-2030",
    battery: "1",
    minPrice: "1",
    maxPrice: "1000000",
    near: "Leeds",
    within: "500",
    verified: "true",
  };
  const names = Object.keys(wide);
  return Array.from({ length: count }, () => {
    const length = [0, 1, 2, 3, 6, 30][next(6)];
    const q = Array.from({ length }, () => pieces[next(pieces.length)])
      .join(" ")
      .slice(0, 200);
    const chosen = names.filter(() => next(4) === 0);
    const query = { q, ...Object.fromEntries(chosen.map((name) => [name, wide[name]])) };
    if (query.within && !query.near) query.near = "Leeds";
    return query;
  });
}

export function inEveryOrder(queries) {
  return queries.flatMap((query) =>
    searchSorts
      .filter((sort) => sort !== "distance" || query.near)
      .map((sort) => addressOf({ ...query, sort })),
  );
}

export const typedBeginnings = [
  "thinkpad",
  "macbook air",
  "elitebook 840",
  "zenbook",
  "near portland",
]
  .flatMap((text) => Array.from({ length: text.length - 1 }, (_, at) => text.slice(0, at + 2)))
  .map((text) => `/api/suggestions?q=${encodeURIComponent(text)}`);
