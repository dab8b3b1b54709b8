import { milesText } from "#contract/distance.ts";
import { formatPrice } from "#contract/price.ts";
import type { FilterName } from "#contract/search.ts";
import { ramSizes, screenSizes, storageSizes } from "../search-index/properties.ts";
import type { Filters } from "./parse-query.ts";
import { resolveNear } from "./search-near.ts";

type Label = { filter: FilterName; label: string; values: string[] };

/** What a filter is called on screen: "16 GB RAM", "under $500"; and its values as the facets have them. */
export function labelsOf(filters: Filters): Label[] {
  const { ram, storage, cpu, gpu, screen, battery, condition, year, verified, near, within } =
    filters;
  const labels: [FilterName, string | undefined][] = [
    ["ram", ram && `${rangeOf(ram, ramSizes, size)} RAM`],
    ["storage", storage && `${rangeOf(storage, storageSizes, size)} storage`],
    ["cpu", cpu?.map(nameOfProcessor).join(" or ")],
    ["gpu", gpu?.map((name) => name.toUpperCase()).join(" or ")],
    ["screen", screen && `${rangeOf(screen, screenSizes, inches)} screen`],
    ["battery", battery === undefined ? undefined : `battery at least ${battery}%`],
    ["price", priceLabel(filters)],
    ["condition", condition && `${condition.join(" or ")} condition`],
    ["year", year && yearLabel(year)],
    ["verified", verified && "verified sellers"],
    ["near", near === undefined ? undefined : placeLabelOf(near, within)],
  ];
  const chosen: Partial<Record<FilterName, (string | number)[] | undefined>> = {
    ...{ ram, storage, cpu, gpu, screen, condition },
    battery: battery === undefined ? undefined : [battery],
    verified: verified && ["true"],
  };
  return labels.flatMap(([filter, label]) =>
    label === undefined ? [] : [{ filter, label, values: (chosen[filter] ?? []).map(String) }],
  );
}

/** "16 GB or 32 GB"; of many sizes in a row "at least 16 GB". */
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
    return name
      .replace(/^i(\d)/, "i$1")
      .replace(/^m/, "M")
      .replace(/-.*$/, (model) => model.toUpperCase());
  return titleCase(spaced);
}

function priceLabel({ minPrice, maxPrice }: Filters): string | undefined {
  if (minPrice === undefined && maxPrice === undefined) return undefined;
  if (minPrice === undefined) return `up to ${formatPrice(maxPrice ?? 0)}`;
  if (maxPrice === undefined) return `from ${formatPrice(minPrice)}`;
  return `${formatPrice(minPrice)} to ${formatPrice(maxPrice)}`;
}

function yearLabel({ from, to }: { from?: number; to?: number }): string {
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
