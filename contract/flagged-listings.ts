import { z } from "zod";
import { call, date, deleted, id } from "./call.ts";
import { productWithContact } from "./products.ts";

/**
 * `price`, `use`: implausible numbers. `duplicate`: another laptop of the seller has the same
 * price, and the same name or a shared photo. `photo`: another seller's listing has one of the
 * photos. `contact`: contact details in the texts. `new`: awaits approval, or is on sale with a
 * title, description or photos that were not approved.
 */
export const flagReasons = ["price", "use", "duplicate", "photo", "contact", "new"] as const;
export type FlagReason = (typeof flagReasons)[number];

export const flaggedListing = z.object({
  flaggedAt: date,
  reasons: z.array(z.enum(flagReasons)),
  /** A similar listing, for the reasons `duplicate` and `photo`. */
  resembles: z.object({ _id: id, product_name: z.string(), seller_name: z.string() }).nullable(),
  contacts: z.array(z.string()),
  product: productWithContact,
});

export type FlaggedListing = z.output<typeof flaggedListing>;

export const listFlaggedListings = call("GET /flaggedListings", {
  access: "moderation",
  summary:
    "Listings with unapproved texts or photos, contacts or implausible numbers, and probable duplicates, newest first",
  reads: ["products"],
  replica: true,
  paged: true,
  answers: { 200: z.array(flaggedListing) },
});

export const dismissFlag = call("DELETE /flaggedListings/{id}", {
  access: "moderation",
  summary:
    "Dismiss what was flagged about a listing, and put it on sale if it waits for approval; an edit can flag it again; the id is the laptop's",
  changes: ["products"],
  query: z.object({
    /** From the list. Throws `STALE` if the seller has edited the listing since then. */
    flaggedAt: date.optional(),
  }),
  limit: { max: 600, minutes: 60 },
  answers: { 200: deleted },
  refusals: ["STALE"],
});
