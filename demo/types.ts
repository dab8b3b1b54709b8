import type { StatedFacts } from "#contract/facts.ts";
import type { BookingState } from "#contract/life-cycle.ts";
import type { Condition } from "#contract/products.ts";
import type { Member } from "../server/db/member.ts";
import type { CategoryName } from "./categories.ts";
import type { Buyer, Seller } from "./people.ts";

/** The demo's members, by their keys in `people.ts`. */
export type DemoMembers = {
  readonly sellers: Record<string, Member>;
  readonly buyers: Record<string, Member>;
};

/** A laptop for sale. Prices are in dollars, `use_duration` is in months. */
export interface Listing {
  readonly product_category: CategoryName;
  readonly product_name: string;
  /** A file in `demo/photos`. */
  readonly photo: string;
  /** Crops of the photo to show as extra photos: left, top and size, as fractions of the photo. */
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

/** A booking and its state. */
export interface DemoBooking {
  readonly product_name: string;
  readonly buyer: Buyer;
  readonly phone: string;
  /** The meeting place. */
  readonly location: string;
  readonly state: BookingState;
  readonly bookedHoursAgo: number;
  /**
   * Only for completed bookings; defaults to 1. If set, the payment's money is available
   * immediately at the card provider.
   */
  readonly handedOverHoursAgo?: number;
}

/** A laptop sold earlier. `like` names the listing whose details and photo the laptop uses. */
export interface PastSale {
  readonly product_name: string;
  readonly like: string;
  readonly resale_price: number;
  readonly buyer: Buyer;
  readonly listedDaysAgo: number;
  readonly soldDaysAgo: number;
}

/** Both parties' reviews of a past sale, and the seller's reply. */
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
