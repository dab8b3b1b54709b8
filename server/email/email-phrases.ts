import { hasAddress } from "#contract/text.ts";

/** Replaces a listing's name that must not be shown. */
export const unnamedLaptop = "A laptop";

/** Quotes a listing's name, unless a mail client could turn part of the name into a link. */
export function nameOf(name: string | null): string {
  return name === null || hasAddress(name) ? unnamedLaptop : `“${name}”`;
}

export function quoteListing(product: string): string[] {
  return hasAddress(product) ? [] : [`Listing: “${product}”`];
}

const maxNamed = 20;

/** Keeps the first lines, and adds a line with the number of lines left out. */
export function nameFirst(lines: string[]): string[] {
  const more = lines.length - maxNamed;
  return more > 0 ? [...lines.slice(0, maxNamed), `And ${more} more.`] : lines;
}

/** Formats a day such as "November 24", in UTC, because the reader's time zone is unknown. */
export function formatDay(day: Date): string {
  return day.toLocaleDateString("en-US", { month: "long", day: "numeric", timeZone: "UTC" });
}

/** Formats a duration such as "7 days", because the reader's time zone is unknown. */
export function timeUntil(end: Date, now: Date): string {
  const minutes = Math.max(1, Math.round((end.getTime() - now.getTime()) / 60_000));
  if (minutes === 1) return "1 minute";
  if (minutes < 120) return `${minutes} minutes`;
  const hours = Math.round(minutes / 60);
  return hours <= 72 ? `${hours} hours` : `${Math.floor(hours / 24)} days`;
}
