import type { StatedFacts } from "#contract/facts.ts";
import type { BookingState } from "#contract/life-cycle.ts";
import type { Condition } from "#contract/products.ts";
import type { CategoryName } from "./categories.ts";
import type { Buyer, Seller } from "./people.ts";

/** A laptop for sale; prices in dollars, use in months. */
export interface Listing {
  readonly product_category: CategoryName;
  readonly product_name: string;
  /** A file in `demo/photos`. */
  readonly photo: string;
  /** Parts of the photo that are shown as further photos: left, top and size, as shares of it. */
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
}

/** A laptop sold earlier. `like`: the listing whose details and photo it uses. */
export interface PastSale {
  readonly product_name: string;
  readonly like: string;
  readonly resale_price: number;
  readonly buyer: Buyer;
  readonly listedDaysAgo: number;
  readonly soldDaysAgo: number;
}

export interface DemoReport {
  readonly product_name: string;
  readonly buyer: Buyer;
  readonly comment: string;
  readonly reportedHoursAgo: number;
}
