import { formatPrice } from "#contract/price.ts";
import type { FilterName } from "#contract/search.ts";
import type { Filters } from "./parse-query.ts";

/** What a filter is called on screen: "16 GB RAM", "under $500". */
export function labelsOf(filters: Filters): { filter: FilterName; label: string }[] {
  const { ram, storage, cpu, gpu, screen, battery, condition, year, verified, near } = filters;
  const labels: [FilterName, string | undefined][] = [
    ["ram", ram && ramLabel(ram)],
    ["storage", storage && `${storage.map(size).join(" or ")} storage`],
    ["cpu", cpu?.map(nameOfProcessor).join(" or ")],
    ["gpu", gpu?.map((name) => name.toUpperCase()).join(" or ")],
    ["screen", screen && `${screen.map((inches) => `${inches}-inch`).join(" or ")} screen`],
    ["battery", battery === undefined ? undefined : `battery at least ${battery}%`],
    ["price", priceLabel(filters)],
    ["condition", condition && `${condition.join(" or ")} condition`],
    ["year", year && yearLabel(year)],
    ["verified", verified && "verified sellers"],
    ["near", near === undefined ? undefined : `near ${titleCase(near)}`],
  ];
  return labels.flatMap(([filter, label]) => (label === undefined ? [] : [{ filter, label }]));
}

function ramLabel(sizes: number[]): string {
  const text = sizes.length > 3 ? `at least ${sizes[0]} GB` : sizes.map(size).join(" or ");
  return `${text} RAM`;
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

function titleCase(text: string): string {
  return text.replaceAll(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase());
}
