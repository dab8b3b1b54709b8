import { hasAddress } from "#contract/text.ts";

/** For a listing whose name must not be shown. */
export const unnamedLaptop = "A laptop";

/** A listing's name, unless a mail client could turn part of it into a link. */
export function nameOf(name: string | null): string {
  return name === null || hasAddress(name) ? unnamedLaptop : `“${name}”`;
}

/** The listing's name, unless a mail client could turn part of it into a link. */
export function quoteListing(product: string): string[] {
  return hasAddress(product) ? [] : [`Listing: “${product}”`];
}

/** Maximum number of items that an email names. */
const maxNamed = 20;

/** The first `maxNamed` lines, and how many more there are. */
export function nameFirst(lines: string[]): string[] {
  const more = lines.length - maxNamed;
  return more > 0 ? [...lines.slice(0, maxNamed), `And ${more} more.`] : lines;
}

/** "November 24", in UTC because the reader's time zone is unknown. */
export function formatDay(day: Date): string {
  return day.toLocaleDateString("en-US", { month: "long", day: "numeric", timeZone: "UTC" });
}
