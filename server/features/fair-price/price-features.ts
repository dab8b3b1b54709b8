import type { StatedFacts } from "#contract/facts.ts";
import { foldText } from "#contract/text.ts";
import { listingDocument } from "../search-index/listing-document.ts";
import { modelGroups, processorTier, usualTier } from "../search-index/model-groups.ts";

export type PricedListing = {
  product_name: string;
  description: string;
  /** The category's name. */
  category: string;
  condition: string;
  original_cents: number;
  /** In months. */
  use_duration: number;
  year_of_purchase: number;
  facts: StatedFacts | null;
};

/** The kinds of groups that a price is compared with, narrowest first. */
export const levels = ["model", "line", "brand"] as const;
export type Level = (typeof levels)[number];
export type Groups = Record<Level, string>;

/** `values`: the regressors. `years`: the laptop's age. */
export type PriceFeatures = { groups: Groups; values: number[]; years: number };

/** `at`: the date to compute the laptop's age for. */
export function priceFeatures(listing: PricedListing, at: Date): PriceFeatures {
  const { product_name: name, description, category, year_of_purchase, facts } = listing;
  const unused = { location: "", priceCents: 0, yearOfPurchase: year_of_purchase };
  const { facets } = listingDocument({ name, description, category, facts, ...unused });
  const words = `${name} ${description}`;
  const years = ageInYears(listing, at);
  const { ram, storage, processor, graphics, battery } = facets;
  const tier = processor && processorTier(processor);
  const hasGraphicsCard = graphics === "rtx" || graphics === "gtx" || graphics === "quadro";
  const values = [
    1,
    Math.log(Math.max(5_000, listing.original_cents)),
    years,
    Math.max(0, years - 1),
    Math.max(0, years - 2.5),
    Math.max(0, years - 4),
    listing.condition === "Good" ? 1 : 0,
    listing.condition === "Fair" ? 1 : 0,
    ...orUnknown(ram && Math.log2(ram / 8)),
    ...orUnknown(storage && Math.log2(storage / 256)),
    ...orUnknown(tier),
    hasGraphicsCard ? 1 : 0,
    hasGraphicsCard ? years : 0,
    (tier ?? usualTier) * years,
    battery === undefined ? 0 : (battery - 85) / 10,
    /\bhdd\b|hard d(?:rive|isk)/i.test(words) && !/\bssd\b/i.test(words) ? 1 : 0,
  ];
  const brand = facets.brand ?? foldText(category).trim();
  return { groups: modelGroups({ name, brand, modelLine: facts?.model_line }), values, years };
}

const originalAt = 1;

/** The logarithm of the original price in cents. */
export function originalOf({ values }: Pick<PriceFeatures, "values">): number {
  return values[originalAt] ?? 0;
}

export function withOriginal(values: number[], original: number): number[] {
  return values.length > originalAt ? values.with(originalAt, original) : values;
}

function orUnknown(value: number | undefined): [number, number] {
  return value === undefined ? [0, 1] : [value, 0];
}

/** Returns the years of use, or the years since the end of the purchase year if more, up to 15. */
function ageInYears({ use_duration, year_of_purchase }: PricedListing, at: Date): number {
  const sinceYear = at.getUTCFullYear() + at.getUTCMonth() / 12 - year_of_purchase - 1;
  return Math.min(15, Math.max(0, use_duration / 12, sinceYear));
}
