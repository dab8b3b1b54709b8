import { toCents, toDollars } from "#contract/price.ts";
import { type Tx, transact } from "../../db/database.ts";
import type { Member } from "../../db/member.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";

/** Returns the seller's lowest price in dollars, or null if none is set. Throws `NOT_FOUND`. */
export async function readOfferFloor(
  tx: Tx,
  seller: Member,
  productId: string,
): Promise<number | null> {
  const own = await tx
    .selectFrom("products")
    .leftJoin("offer_floors as floor", "floor.product_id", "products.id")
    .select("floor.floor_cents")
    .where("products.id", "=", productId)
    .where("products.seller_id", "=", seller.id)
    .where("products.deleted_at", "is", null)
    .executeTakeFirst();
  if (!own) throw noProduct();
  return own.floor_cents === null ? null : toDollars(own.floor_cents);
}

/**
 * Sets the price below which later offers are declined; null removes it. The audit row omits the
 * price. Throws `NOT_FOUND`.
 */
export async function setOfferFloor(
  { db, clock }: Deps,
  seller: Member,
  { id, floor }: { id: string; floor: number | null },
): Promise<void> {
  const at = clock.now();
  await transact(db, "setOfferFloor", async (tx) => {
    const own = await tx
      .selectFrom("products")
      .select("id")
      .where("id", "=", id)
      .where("seller_id", "=", seller.id)
      .where("deleted_at", "is", null)
      .forShare()
      .executeTakeFirst();
    if (!own) throw noProduct();
    if (floor === null) await tx.deleteFrom("offer_floors").where("product_id", "=", id).execute();
    else {
      const floor_cents = toCents(floor);
      await tx
        .insertInto("offer_floors")
        .values({ product_id: id, floor_cents })
        .onConflict((conflict) => conflict.column("product_id").doUpdateSet({ floor_cents }))
        .execute();
    }
    const what = { object: "product", objectId: id } as const;
    await recordAudit(tx, { at, actor: seller.id, verb: "set lowest price", ...what });
  });
}

function noProduct(): AppError {
  return new AppError("NOT_FOUND", "You have no such product.");
}
