import type { Tx } from "../../db/database.ts";

/** Maximum number of addresses in a sitemap (sitemaps.org). */
export const maxAddresses = 50_000;

export type Listed = { id: string; product_name: string; posted_at: Date };

/** When the oldest laptop for sale was listed; undefined if there is none. */
export async function findFirstListing(tx: Tx): Promise<Date | undefined> {
  const first = await selectListed(tx).limit(1).executeTakeFirst();
  return first?.posted_at;
}

/** Laptops for sale listed from `from` until `to`. Their ids begin with the listing time. */
export async function listListedBetween(tx: Tx, from: Date, to: Date): Promise<Listed[]> {
  return await selectListed(tx)
    .where("id", ">=", firstIdOf(from))
    .where("id", "<", firstIdOf(to))
    .limit(maxAddresses)
    .execute();
}

function selectListed(tx: Tx) {
  return tx
    .selectFrom("products")
    .select(["id", "product_name", "posted_at"])
    .where("sales_status", "=", "available")
    .where("deleted_at", "is", null)
    .orderBy("id");
}

/** The smallest UUIDv7 of a time. */
function firstIdOf(time: Date): string {
  const hex = time.getTime().toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
