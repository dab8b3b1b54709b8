import { readFileSync } from "node:fs";
import type { Listing } from "./types.ts";

/** Every listed demo laptop, grouped by category. */
export const listings: readonly Listing[] = JSON.parse(
  readFileSync(new URL("./listings.json", import.meta.url), "utf8"),
);

/** The file of a listing's photo. */
export function photoOf({ photo }: Listing): URL {
  return new URL(`./photos/${photo}`, import.meta.url);
}
