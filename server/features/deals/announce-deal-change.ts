import { sql } from "kysely";
import type { Tx } from "../../db/database.ts";

/** Notifies both sides' open event streams when the transaction commits (decisions/messages). */
export async function recordDealChange(tx: Tx, bookingId: string): Promise<void> {
  await tx
    .insertInto("public_changes")
    .columns(["tags"])
    .expression((db) =>
      db
        .selectFrom("bookings")
        .innerJoin("products", "products.id", "bookings.product_id")
        .select(sql<string[]>`array['deals:' || buyer_id, 'deals:' || seller_id]`.as("tags"))
        .where("bookings.id", "=", bookingId),
    )
    .execute();
}
