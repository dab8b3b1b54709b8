import { milesText } from "#contract/distance.ts";
import { ramSizes } from "#contract/facts.ts";
import { formatPrice, toDollars } from "#contract/price.ts";
import { conditions } from "#contract/products.ts";
import {
  type FilterName,
  filterNames,
  type SearchAnswer,
  type SearchQuery,
  searchPriceBands,
} from "#contract/search.ts";
import { graphics, processors } from "../search-index/dictionary.ts";
import { placeById, placeLabel } from "../search-index/places.ts";
import { screenSizes, storageSizes } from "../search-index/property-rules.ts";
import type { ActiveFilter, SearchFilters } from "./active-filters.ts";
import { resolveNear } from "./near.ts";
import type { Filters, ParsedQuery } from "./parse-query.ts";
import type { Results } from "./run-search.ts";

/** By category id. */
export type Categories = Map<string, { number: number; name: string; hidden: boolean }>;

type Label = { filter: FilterName; label: string; values: string[] };

/** Returns labels such as "16 GB RAM". `values` is empty for prices, years and places. */
export function labelsOf(filters: Filters): Label[] {
  const { ram, storage, cpu, gpu, screen, battery, condition, year, verified, near, within } =
    filters;
  const health = battery === undefined ? undefined : [battery];
  const labels: [FilterName, string | undefined, values?: (string | number)[] | undefined][] = [
    ["ram", ram && `${rangeOf(ram, ramSizes, size)} RAM`, ram],
    ["storage", storage && `${rangeOf(storage, storageSizes, size)} storage`, storage],
    ["cpu", cpu?.map(nameOfProcessor).join(" or "), cpu],
    ["gpu", gpu?.map((name) => name.toUpperCase()).join(" or "), gpu],
    ["screen", screen && `${rangeOf(screen, screenSizes, inches)} screen`, screen],
    ["battery", health && `battery at least ${battery}%`, health],
    ["price", priceLabel(filters)],
    ["condition", condition && `${condition.join(" or ")} condition`, condition],
    ["year", year && yearLabel(year)],
    ["verified", verified && "verified sellers", ["true"]],
    ["near", near === undefined ? undefined : placeLabelOf(near, within)],
  ];
  return labels.flatMap(([filter, label, values = []]) =>
    label === undefined ? [] : [{ filter, label, values: values.map(String) }],
  );
}

/**
 * Joins sizes: "16 GB or 32 GB". Four or more consecutive sizes that end with the largest become
 * "at least 16 GB". Four or more that begin with the smallest become "up to 16 GB".
 */
function rangeOf(all: number[], known: number[], nameOf: (size: number) => string): string {
  const [first = 0, last = 0] = [all[0], all.at(-1)];
  const isRow = all.length > 3 && all.every((one, at) => one === known[known.indexOf(first) + at]);
  if (isRow && last === known.at(-1)) return `at least ${nameOf(first)}`;
  if (isRow && first === known[0]) return `up to ${nameOf(last)}`;
  return all.map(nameOf).join(" or ");
}

function inches(number: number): string {
  return `${number}-inch`;
}

function size(gb: number): string {
  return gb >= 1024 ? `${gb / 1024} TB` : `${gb} GB`;
}

function nameOfProcessor(name: string): string {
  const spaced = name.replace(/^(ryzen|ultra|core)(ai|\d)/, "$1 $2");
  if (/^(i\d|m\d)/.test(name))
    return name.replace(/^m/, "M").replace(/-.*$/, (model) => model.toUpperCase());
  return titleCase(spaced);
}

/** Returns a name such as "ThinkPad", "MacBook Air" or "XPS 13". */
export function nameOfLine(line: string): string {
  return titleCase(line)
    .replaceAll(/\b(?:Xps|Loq|Rog|Tuf)\b/g, (name) => name.toUpperCase())
    .replaceAll(/(?<=\p{L})(?:pad|book|mate)\b/gu, titleCase);
}

function priceLabel({ minPrice, maxPrice }: Filters): string | undefined {
  if (minPrice === undefined && maxPrice === undefined) return undefined;
  if (minPrice === undefined) return `up to ${formatPrice(maxPrice ?? 0)}`;
  if (maxPrice === undefined) return `from ${formatPrice(minPrice)}`;
  return `${formatPrice(minPrice)} to ${formatPrice(maxPrice)}`;
}

function yearLabel({ from, to }: NonNullable<Filters["year"]>): string {
  if (from === to) return `bought in ${from}`;
  if (to === undefined) return `bought in ${from} or later`;
  if (from === undefined) return `bought in ${to} or earlier`;
  return `bought from ${from} to ${to}`;
}

function placeLabelOf(near: string, within: number | undefined): string {
  const place = resolveNear({ near, within });
  return place ? `within ${milesText(place.within)} of ${place.name}` : `near ${titleCase(near)}`;
}

function titleCase(text: string): string {
  return text.replaceAll(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase());
}

type OfAddress = { query: SearchQuery; given: SearchFilters; categories: Categories };

/**
 * Labels the filters in use. Filters in the URL override filters in the typed text, but a price or
 * distance may combine both. `rest`: the text without the filter's words.
 */
export function filterLabels(
  { understood }: ParsedQuery,
  { query, given, categories }: OfAddress,
): SearchAnswer["filters"] {
  const names = query.category?.map((id) => categories.get(id)?.name).join(" or ");
  const asked: SearchAnswer["filters"] = [
    ...(names === undefined
      ? []
      : [{ filter: "category" as const, label: names, values: query.category ?? [] }]),
    ...labelsOf(given),
  ].map((one) => ({ ...one, rest: null }));
  const read = understood.flatMap(({ filters, rest }) =>
    labelsOf({ ...filters, ...given })
      .filter(({ filter }) => labelsOf(filters).some((one) => one.filter === filter))
      .filter(({ label }) => !asked.some((one) => one.label === label))
      .map((one) => ({ ...one, rest })),
  );
  const combined = new Set(read.map(({ filter }) => filter));
  return [...asked.filter(({ filter }) => !combined.has(filter)), ...read];
}

/** Without this limit, the facet of towns could have thousands of values. */
const maxFacetValues = 50;

type Naming = { filters: ActiveFilter[]; categories: Categories };

export function facetsOf(results: Results, naming: Naming): SearchAnswer["facets"] {
  const facets: SearchAnswer["facets"] = {};
  for (const name of filterNames) {
    const values = results.counts
      .filter(({ facet }) => facet === name)
      .flatMap(({ value, count }) => {
        const named = nameOf(name, value, naming);
        return named === undefined ? [] : [{ value: named, count }];
      });
    const isInUse = naming.filters.some((filter) => filter.name === name);
    const sampled = results.sampled || (isInUse && results.sampledInUse);
    facets[name] = { values: inOrder(name, values).slice(0, maxFacetValues), sampled };
  }
  return facets;
}

function nameOf(name: FilterName, value: number, { categories }: Naming): string | undefined {
  if (name === "category")
    return [...categories].find(([, { number, hidden }]) => number === value && !hidden)?.[0];
  if (name === "cpu") return processors[value - 1];
  if (name === "gpu") return graphics[value - 1];
  if (name === "condition") return conditions[value - 1];
  if (name === "price") return String(toDollars(100 * (searchPriceBands[value - 1] ?? 0)));
  if (name === "battery") return String(value * 10);
  if (name === "near") return townOf(value);
  if (name === "verified") return "true";
  return String(value);
}

function townOf(id: number): string | undefined {
  const place = placeById(id);
  return place && placeLabel(place);
}

const byNumber: readonly FilterName[] = ["ram", "storage", "screen", "battery", "year", "price"];

function inOrder(name: FilterName, values: { value: string; count: number }[]) {
  return values.sort((a, b) =>
    byNumber.includes(name) ? Number(a.value) - Number(b.value) : b.count - a.count,
  );
}
