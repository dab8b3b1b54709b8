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
