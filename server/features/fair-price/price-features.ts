import type { Condition } from "#contract/products.ts";
import { foldText } from "#contract/text.ts";
import { type KnownFacts, listingDocument } from "../search-index/listing-document.ts";
import { modelGroups, processorTier, usualTier } from "../search-index/model-groups.ts";

type PricedListing = {
  name: string;
  description: string;
  category: string;
  condition: Condition;
  originalCents: number;
  useMonths: number;
  yearOfPurchase: number;
  facts?: KnownFacts | undefined;
};

/** The groups that a price is compared with, narrowest first. */
export const levels = ["model", "line", "brand"] as const;
export type Level = (typeof levels)[number];
export type Groups = Record<Level, string>;

/** `values`: the regressors. `years`: the laptop's age. */
export type PriceFeatures = { groups: Groups; values: number[]; years: number };

/** `at`: the date to compute the laptop's age for. */
export function priceFeatures(listing: PricedListing, at: Date): PriceFeatures {
  const { facets } = listingDocument({
    name: listing.name,
    description: listing.description,
    category: listing.category,
    location: "",
    priceCents: 0,
    yearOfPurchase: listing.yearOfPurchase,
    facts: listing.facts,
  });
  const years = ageInYears(listing, at);
  const { ram, storage, processor, graphics, battery } = facets;
  const tier = processor && processorTier(processor);
  const hasGraphicsCard = graphics === "rtx" || graphics === "gtx" || graphics === "quadro";
  const text = `${listing.name} ${listing.description}`;
  const values = [
    1,
    Math.log(Math.max(5_000, listing.originalCents)),
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
    /\bhdd\b|hard d(?:rive|isk)/i.test(text) && !/\bssd\b/i.test(text) ? 1 : 0,
  ];
  const brand = facets.brand ?? foldText(listing.category).trim();
  const modelLine = listing.facts?.model_line;
  return { groups: modelGroups({ name: listing.name, brand, modelLine }), values, years };
}

const originalAt = 1;

/** The logarithm of the stated original price. */
export function originalOf({ values }: Pick<PriceFeatures, "values">): number {
  return values[originalAt] ?? 0;
}

export function withOriginal(values: number[], original: number): number[] {
  return values.length > originalAt ? values.with(originalAt, original) : values;
}

/** Two regressors: `[value, 0]`, or `[0, 1]` if the value is unknown. */
function orUnknown(value: number | undefined): [number, number] {
  return value === undefined ? [0, 1] : [value, 0];
}

/** The longer of the months of use and the time since the year of purchase. */
function ageInYears({ useMonths, yearOfPurchase }: PricedListing, at: Date): number {
  const sinceYear = at.getUTCFullYear() + at.getUTCMonth() / 12 - yearOfPurchase - 1;
  return Math.min(15, Math.max(0, useMonths / 12, sinceYear));
}
