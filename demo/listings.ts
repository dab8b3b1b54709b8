import { readFileSync } from "node:fs";
import type { Listing } from "./types.ts";

export const listings: readonly Listing[] = JSON.parse(
  readFileSync(new URL("./listings.json", import.meta.url), "utf8"),
);

export function photoOf({ photo }: Listing): URL {
  return new URL(`./photos/${photo}`, import.meta.url);
}
