import type { BookingState } from "#contract/life-cycle.ts";
import type { Condition } from "#contract/products.ts";
import type { CategoryName } from "./categories.ts";
import type { Buyer, Seller } from "./people.ts";

export type Build =
  | "ultrabook"
  | "business"
  | "classic"
  | "gaming"
  | "convertible"
  | "chromebook"
  | "tablet";

export type Finish =
  | "silver"
  | "space grey"
  | "graphite"
  | "black"
  | "white"
  | "platinum"
  | "midnight"
  | "champagne"
  | "rose"
  | "sage"
  | "cobalt"
  | "crimson"
  | "bronze";

export type Keys = "dark" | "light" | "tonal" | "rainbow" | "green" | "red";

/** Where the laptop stands while its picture is taken. */
export type Place =
  | "oak desk"
  | "walnut desk"
  | "birch desk"
  | "white desk"
  | "stone desk"
  | "night desk"
  | "sand paper"
  | "sage paper"
  | "blush paper"
  | "sky paper"
  | "lilac paper"
  | "clay paper";

export type Wallpaper =
  | "dunes"
  | "ribbons"
  | "aurora"
  | "arcs"
  | "peaks"
  | "orbs"
  | "tiles"
  | "contours"
  | "sea"
  | "petals";

export type Mood = "ember" | "lagoon" | "orchard" | "dusk" | "citrus" | "frost" | "neon" | "clay";

export type System = "mac" | "windows" | "chrome" | "linux";

export type OpenWindow = "about" | "editor" | "browser";

export type View = "front" | "left" | "right" | "rear";

export type Prop = "mug" | "plant" | "books" | "notebook" | "charger" | "mouse";

/** Everything a drawing of a laptop depends on: the same look is the same picture. */
export interface LaptopLook {
  /** Decides whatever the other fields leave open. */
  readonly seed: string;
  readonly build: Build;
  readonly finish: Finish;
  readonly keys?: Keys;
  readonly screen_in: number;
  readonly ratio: "16:10" | "16:9" | "3:2";
  readonly condition: Condition;
  readonly view: View;
  readonly place: Place;
  readonly system: System;
  readonly wallpaper: Wallpaper;
  readonly mood: Mood;
  readonly window?: OpenWindow;
  readonly props?: readonly Prop[];
  readonly numpad?: boolean;
  readonly pointingStick?: boolean;
  readonly notch?: boolean;
  readonly sticker?: boolean;
}

/** What a seller can say about the parts; storage and memory in gigabytes, the screen in inches. */
export interface Specs {
  readonly cpu: string;
  readonly ram_gb: number;
  readonly storage_gb: number;
  readonly screen_in: number;
}

/** A laptop for sale as its seller writes it down; prices in dollars, use in months. */
export interface Draft {
  readonly product_name: string;
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
  /** What the picture does not already know from the fields above. */
  readonly look: Omit<LaptopLook, "seed" | "condition" | "screen_in">;
}

/** A draft filed under its category, with all that its picture depends on. */
export interface Listing extends Omit<Draft, "look" | "advertise"> {
  readonly product_category: CategoryName;
  readonly advertise: boolean;
  readonly look: LaptopLook;
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
