import { sql } from "kysely";
import type { Tx } from "../../db/database.ts";
import { isBlocked } from "../blocks/lock-pair.ts";

/**
 * Locks the buyer and the product's seller against deletion until the transaction ends. Returns whether
 * both are active members, neither of whom has blocked the other.
 */
export async function lockActiveParties(
  tx: Tx,
  { buyerId, productId }: { buyerId: string; productId: string },
): Promise<boolean> {
  const seller = sql`(select seller_id from products where id = ${productId})`;
  const members = await tx
    .selectFrom("members")
    .select("id")
    .where(({ eb, or }) => or([eb("id", "=", buyerId), sql<boolean>`id = ${seller}`]))
    .where("deleted_at", "is", null)
    .where("suspended_at", "is", null)
    .where(({ not }) => not(isBlocked(sql`${buyerId}::uuid`, seller)))
    .forShare()
    .execute();
  return members.length === 2;
}
