import { sql } from "kysely";
import type { Product } from "#contract/products.ts";
import type { Seller } from "#contract/sellers.ts";
import type { Tx } from "../../db/database.ts";
import { newestFirst, type Page, type Paging } from "../../db/pagination.ts";
import { AppError } from "../../errors.ts";
import { checksOf } from "../members/verify-seller.ts";
import { selectAvailable, toProduct } from "../products/product-rows.ts";
import { ratedColumn, ratingOf } from "../reviews/rating.ts";
import { replyHoursColumn } from "../reviews/reply-time.ts";

/** Throws `NOT_FOUND` for an unknown or suspended seller, and `GONE` for a deleted one. */
export async function readSeller(tx: Tx, id: string): Promise<Seller> {
  const row = await requireSeller(tx, id);
  return {
    _id: row.id,
    name: row.name,
    verify: row.verify,
    checks: checksOf(row),
    memberSince: row.created_at.toISOString(),
    sold: row.sold ?? 0,
    repliesWithinHours: row.reply_hours,
    rating: ratingOf(row.rated),
  };
}

export async function requireSeller(tx: Tx, id: string) {
  const row = await tx
    .selectFrom("members as seller")
    .select(["seller.id", "seller.name", "seller.verify", "seller.created_at"])
    .select(["seller.deleted_at", "seller.suspended_at"])
    .select(["seller.confirmed_at", "seller.identity_checked_at"])
    .select([ratedColumn("seller", "seller.id").as("rated"), replyHoursColumn])
    .select(({ selectFrom }) =>
      selectFrom("products")
        .select(sql<number>`count(*)::integer`.as("sold"))
        .whereRef("products.seller_id", "=", "seller.id")
        .where("products.sales_status", "=", "sold")
        .as("sold"),
    )
    .where("seller.id", "=", id)
    .where("seller.account_type", "=", "seller")
    .where("seller.is_admin", "=", false)
    .executeTakeFirst();
  if (row?.deleted_at) throw new AppError("GONE", "This seller has left.");
  if (!row || row.suspended_at) throw new AppError("NOT_FOUND", "There is no such seller.");
  return row;
}

/** Lists a seller's available laptops, newest first. Throws `NOT_FOUND` or `GONE`. */
export async function listSellerLaptops(
  tx: Tx,
  { id, ...paging }: Paging & { id: string },
): Promise<Page<Product>> {
  await requireSeller(tx, id);
  const own = selectAvailable(tx).where("products.seller_id", "=", id);
  return await newestFirst(
    own,
    { at: "products.posted_at", id: "products.id", ...paging },
    toProduct,
  );
}
