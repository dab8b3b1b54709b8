import { v7 } from "uuid";

/** A UUIDv7 with the time of `now`, so that ids sort by age. */
export function newId(now: Date): string {
  return v7({ msecs: now.getTime() });
}
