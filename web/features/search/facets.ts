import type { FilterName, SearchAnswer } from "#contract/search.ts";
import { type SearchAddress, toggled } from "./search-address.ts";

/** A facet ready to display. `to` turns the choice on or off. */
export type ShownFacet = ReturnType<typeof shownFacets>[number];

const titles: [FilterName, string][] = [
  ["category", "Category"],
  ["ram", "Memory"],
  ["storage", "Storage"],
  ["cpu", "Processor"],
  ["gpu", "Graphics"],
  ["screen", "Screen"],
  ["battery", "Battery health"],
  ["condition", "Condition"],
  ["verified", "Seller"],
];

const maxChoices = 5;

/** Returns the facets, each with its most frequent values and all chosen values. */
export function shownFacets(
  answer: SearchAnswer,
  { address, nameOf }: { address: SearchAddress; nameOf: (categoryId: string) => string },
) {
  return titles.flatMap(([name, title]) => {
    if (name === "category" && address.category !== undefined) return [];
    const facet = answer.facets[name];
    const applied = answer.filters.find(({ filter }) => filter === name);
    const isChosen = ({ value }: FacetValue) => applied?.values.includes(value) === true;
    const isLeftOut = answer.loosened?.filter === name;
    const ofAddress = address.search[name]?.split(",") ?? [];
    const values = name === "battery" ? atLeast(facet?.values ?? []) : (facet?.values ?? []);
    const frequent = values.toSorted((a, b) => b.count - a.count).slice(0, maxChoices);
    const shown = values.filter((one) => frequent.includes(one) || isChosen(one));
    const missing = ofAddress.filter((value) => values.every((one) => one.value !== value));
    const choices = [...shown, ...missing.map((value) => ({ value, count: 0 }))].map((one) => {
      const { value, count } = one;
      const label = name === "category" ? nameOf(value) : labelOf(name, value);
      return {
        value,
        label: isChosen(one) && isLeftOut ? `${label} (left out)` : label,
        count: `${facet?.sampled ? "about " : ""}${formatCount(count)}`,
        isInForce: isChosen(one) && !isLeftOut,
        to: toggled(address, { name, value, applied }),
      };
    });
    return choices.length === 0 ? [] : [{ title, choices }];
  });
}

type FacetValue = { value: string; count: number };

/** Each value is a minimum, so better batteries count too. */
function atLeast(values: FacetValue[]) {
  return ["90", "80", "70"].flatMap((value) => {
    const better = values.filter((one) => Number(one.value) >= Number(value));
    const count = better.reduce((sum, one) => sum + one.count, 0);
    return count > 0 ? [{ value, count }] : [];
  });
}

function labelOf(name: FilterName, value: string): string {
  if (name === "ram" || name === "storage")
    return Number(value) >= 1024 ? `${Number(value) / 1024} TB` : `${value} GB`;
  if (name === "screen") return `${value} inches`;
  if (name === "battery") return `${value}% or more`;
  if (name === "verified") return "Verified sellers";
  if (name === "cpu" || name === "gpu") return partName(value);
  return value;
}

const partNames: Record<string, string> = {
  rtx: "GeForce RTX",
  gtx: "GeForce GTX",
  mx: "GeForce MX",
  uhd: "Intel UHD",
  iris: "Intel Iris",
  arc: "Intel Arc",
  quadro: "NVIDIA Quadro",
  radeon: "AMD Radeon",
  vega: "AMD Vega",
  adreno: "Adreno",
  ryzenai: "Ryzen AI",
  corem: "Core M",
};

function partName(value: string): string {
  const known = partNames[value];
  if (known !== undefined) return known;
  if (/^i\d/.test(value)) return `Core ${value}`;
  if (/^m\d/.test(value)) return `Apple ${value.toUpperCase()}`;
  const [, name = value, number = ""] = /^([a-z]+)(\d*)$/.exec(value) ?? [];
  return `${name.charAt(0).toUpperCase()}${name.slice(1)} ${number}`.trim();
}

const counts = new Intl.NumberFormat("en-US");

export function formatCount(count: number): string {
  return counts.format(count);
}
