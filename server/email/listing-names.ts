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
