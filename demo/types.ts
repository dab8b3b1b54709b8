import type { BookingState } from "#contract/life-cycle.ts";
import type { Condition } from "#contract/products.ts";
import type { CategoryName } from "./categories.ts";
import type { Buyer, Seller } from "./people.ts";

/** What a seller can say about the parts; storage and memory in gigabytes, the screen in inches. */
export interface Specs {
  readonly cpu: string;
  readonly ram_gb: number;
  readonly storage_gb: number;
  readonly screen_in: number;
}

/** A laptop for sale; prices in dollars, use in months. */
export interface Listing {
  readonly product_category: CategoryName;
  readonly product_name: string;
  /** A file in `demo/photos`. */
  readonly photo: string;
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
  readonly specs: Specs;
}

/** Who booked which laptop, and how far the deal has come. */
export interface DemoBooking {
  readonly product_name: string;
  readonly buyer: Buyer;
  readonly phone: string;
  /** Where the two want to meet. */
  readonly location: string;
  readonly state: BookingState;
  readonly bookedHoursAgo: number;
}

/** A laptop that was sold before those on show: like one of them, with whose picture it was listed. */
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
