import type { StatedFacts } from "#contract/facts.ts";
import type { BookingState } from "#contract/life-cycle.ts";
import type { Condition } from "#contract/products.ts";
import type { Member } from "../server/db/member.ts";
import type { Buyer, Seller } from "./people.ts";

/** By their keys in `people.ts`. */
export type DemoMembers = {
  readonly sellers: Record<string, Member>;
  readonly buyers: Record<string, Member>;
};

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

export interface DemoBooking {
  readonly product_name: string;
  readonly buyer: Buyer;
  readonly phone: string;
  readonly location: string;
  readonly state: BookingState;
  readonly bookedHoursAgo: number;
  /**
   * Completed bookings only; 1 by default. If set, the provider has the money available at once.
   */
  readonly handedOverHoursAgo?: number;
}

/** `like` names the listing whose details and photo the laptop uses. */
export interface PastSale {
  readonly product_name: string;
  readonly like: string;
  readonly resale_price: number;
  readonly buyer: Buyer;
  readonly listedDaysAgo: number;
  readonly soldDaysAgo: number;
}

export interface DemoReviews {
  readonly product_name: string;
  readonly ofSeller: { readonly stars: number; readonly text: string };
  readonly ofBuyer: { readonly stars: number; readonly text: string };
  readonly reply?: string;
}

export interface DemoReport {
  readonly product_name: string;
  readonly buyer: Buyer;
  readonly comment: string;
  readonly reportedHoursAgo: number;
}
