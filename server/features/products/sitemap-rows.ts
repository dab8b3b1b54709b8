import { sql } from "kysely";
import type { Tx } from "../../db/database.ts";

/** Maximum number of URLs in a sitemap (sitemaps.org). */
const maxAddresses = 50_000;

type Listed = { id: string; product_name: string; posted_at: Date };

/** The time in the lowest id of the laptops for sale; undefined if none is for sale. */
export async function findFirstListing(tx: Tx): Promise<Date | undefined> {
  const first = await selectListed(tx).limit(1).executeTakeFirst();
  return first && new Date(Number.parseInt(first.id.replace("-", "").slice(0, 12), 16));
}

/** Laptops for sale that were listed from `from` until `to`. Ids begin with the listing time. */
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

/** An id that sorts before every UUIDv7 of the same time. */
function firstIdOf(time: Date): string {
  const hex = time.getTime().toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** The ids of the newest sellers whose page shows a laptop for sale or a review. */
export async function listShownSellers(tx: Tx): Promise<string[]> {
  const rows = await tx
    .selectFrom("members as seller")
    .leftJoinLateral(
      // Looks up one row per seller instead of scanning the tables.
      sql<{ laptop: string }>`(
        select id as laptop from products
        where seller_id = seller.id and sales_status = 'available' and deleted_at is null limit 1)`.as(
        "listed",
      ),
      (join) => join.onTrue(),
    )
    .leftJoinLateral(
      sql<{ review: string }>`(
        select id as review from reviews
        where subject_id = seller.id and author_role = 'buyer' and published_at is not null and removed_at is null
        limit 1)`.as("reviewed"),
      (join) => join.onTrue(),
    )
    .select("seller.id")
    .where("seller.account_type", "=", "seller")
    .where("seller.is_admin", "=", false)
    .where("seller.deleted_at", "is", null)
    .where("seller.suspended_at", "is", null)
    .where(({ or, eb }) => or([eb("laptop", "is not", null), eb("review", "is not", null)]))
    .orderBy("seller.created_at", "desc")
    .orderBy("seller.id", "desc")
    .limit(maxAddresses)
    .execute();
  return rows.map(({ id }) => id);
}
