import { sql } from "kysely";
import type { Tx } from "../../db/database.ts";
import { maxAddresses } from "../products/sitemap.ts";

/** The sellers whose page shows something: a laptop for sale or a review. */
function selectShown(tx: Tx) {
  return tx
    .selectFrom("members as seller")
    .where("seller.account_type", "=", "seller")
    .where("seller.is_admin", "=", false)
    .where("seller.deleted_at", "is", null)
    .where("seller.suspended_at", "is", null)
    .where(({ or, exists, selectFrom }) =>
      or([
        exists(
          selectFrom("products")
            .select("products.id")
            .whereRef("products.seller_id", "=", "seller.id")
            .where("products.sales_status", "=", "available")
            .where("products.deleted_at", "is", null),
        ),
        exists(
          selectFrom("reviews")
            .select("reviews.id")
            .whereRef("reviews.subject_id", "=", "seller.id")
            .where("reviews.author_role", "=", "buyer")
            .where("reviews.published_at", "is not", null)
            .where("reviews.removed_at", "is", null),
        ),
      ]),
    );
}

export async function countShownSellers(tx: Tx): Promise<number> {
  const { count } = await selectShown(tx)
    .select(sql<number>`count(*)::integer`.as("count"))
    .executeTakeFirstOrThrow();
  return count;
}

/** The ids of as many as a sitemap may have, from a page on; the first is 0. */
export async function listShownSellers(tx: Tx, page: number): Promise<string[]> {
  const rows = await selectShown(tx)
    .select("seller.id")
    .orderBy("seller.id")
    .limit(maxAddresses)
    .offset(page * maxAddresses)
    .execute();
  return rows.map(({ id }) => id);
}
