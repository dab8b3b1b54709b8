import type { Tx } from "../../db/database.ts";

/**
 * Locks the buyer and the product's seller against deletion until the transaction ends. Returns whether
 * both are active members.
 */
export async function lockActiveParties(
  tx: Tx,
  { buyerId, productId }: { buyerId: string; productId: string },
): Promise<boolean> {
  const members = await tx
    .selectFrom("members")
    .select("id")
    .where(({ eb, or, selectFrom }) =>
      or([
        eb("id", "=", buyerId),
        eb("id", "=", selectFrom("products").select("seller_id").where("id", "=", productId)),
      ]),
    )
    .where("deleted_at", "is", null)
    .where("suspended_at", "is", null)
    .forShare()
    .execute();
  return members.length === 2;
}
