import { sql } from "kysely";
import type { Tx } from "../../db/database.ts";

/** Prefix of members' tags in `public_changes` (decisions/messages). */
const dealsTagPrefix = "deals:";

/** Notifies both sides' open event streams when the transaction commits. */
export async function recordDealChange(tx: Tx, bookingId: string): Promise<void> {
  await tx
    .insertInto("public_changes")
    .columns(["tags"])
    .expression((db) =>
      db
        .selectFrom("bookings")
        .innerJoin("products", "products.id", "bookings.product_id")
        .select(tagsOfParties)
        .where("bookings.id", "=", bookingId),
    )
    .execute();
}

const tagsOfParties = sql<string[]>`
  array[${dealsTagPrefix}::text || buyer_id, ${dealsTagPrefix}::text || seller_id]`.as("tags");

/** Returns the id of the tag's member; undefined for other tags. */
export function memberOfDealsTag(tag: string): string | undefined {
  return tag.startsWith(dealsTagPrefix) ? tag.slice(dealsTagPrefix.length) : undefined;
}
