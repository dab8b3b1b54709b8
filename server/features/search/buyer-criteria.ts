import type { Condition } from "#contract/products.ts";

/** What only a buyer writes. Prices in dollars. */
export type BuyerCriterion =
  | { kind: "price"; min?: number; max?: number }
  /** `compared`: "older than 2020", whose negation is "2020 or newer". */
  | { kind: "year"; from?: number; to?: number; compared?: true }
  | { kind: "leastBattery"; percent: number }
  | { kind: "condition"; among: Condition[] }
  | { kind: "verified" }
  /** `maybe`: only before a town that we know. */
  | { kind: "near"; km?: number; maybe?: true }
  | { kind: "place"; name: string; km?: number }
  | { kind: "dropped" }
  | Modifier;

/** What changes the meaning of the property beside it: "at least", "or more", "not". */
export type Modifier =
  | { kind: "bound"; side: Side }
  | { kind: "boundBefore"; side: Side }
  | { kind: "not" }
  /** "Is too slow", after what it is about. */
  | { kind: "notBefore" }
  /** "4, 8 or" in "4, 8 or 16 GB". */
  | { kind: "alternative"; numbers: number[] }
  | { kind: "sizes"; of: Sized; among: number[] };

export type Side = "least" | "over" | "most" | "under";
export type Sized = "ram" | "storage" | "screen";
