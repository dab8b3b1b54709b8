export type Condition = "Excellent" | "Good" | "Fair";

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
