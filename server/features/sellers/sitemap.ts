import { sql } from "kysely";
import type { Tx } from "../../db/database.ts";
import { maxAddresses } from "../products/sitemap.ts";

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
