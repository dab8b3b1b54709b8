import { readFileSync } from "node:fs";
import type { StatedFacts } from "#contract/facts.ts";
import type { Condition } from "#contract/products.ts";
import type { Seller } from "./people.ts";

/** Prices are in dollars, `use_duration` is in months. */
export interface Listing {
  readonly product_category: string;
  readonly product_name: string;
  readonly photo: string;
  /** Extra photos, cropped from `photo`: left, top and size as fractions of the photo. */
  readonly closeUps?: readonly (readonly [left: number, top: number, size: number])[];
  readonly condition: Condition;
  readonly resale_price: number;
  readonly original_price: number;
  readonly yearOf_purchase: number;
  readonly use_duration: number;
  readonly location: string;
  readonly description: string;
  readonly seller: Seller;
  readonly postedDaysAgo: number;
  readonly advertise?: true;
  readonly facts: StatedFacts;
}

export const listings: readonly Listing[] = JSON.parse(
  readFileSync(new URL("./listings.json", import.meta.url), "utf8"),
);

export function photoOf({ photo }: Listing): URL {
  return new URL(`./photos/${photo}`, import.meta.url);
}
