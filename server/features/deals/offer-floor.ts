import { toCents } from "#contract/price.ts";
import type { Tx } from "../../db/database.ts";
import { recordAudit } from "../../db/record-audit.ts";

type Sent = { productId: string; floor?: number | null | undefined; at: Date; actor: string };

/** Stores a lowest price in dollars. Null deletes the stored price; undefined keeps it. */
export async function storeOfferFloor(tx: Tx, { productId, floor, at, actor }: Sent) {
  if (floor === undefined) return;
  const { numDeletedRows } = await tx
    .deleteFrom("offer_floors")
    .where("product_id", "=", productId)
    .executeTakeFirst();
  if (floor === null && numDeletedRows === 0n) return;
  if (floor !== null)
    await tx
      .insertInto("offer_floors")
      .values({ product_id: productId, floor_cents: toCents(floor) })
      .execute();
  const what = { object: "product", objectId: productId } as const;
  await recordAudit(tx, { at, actor, verb: "set lowest price", ...what });
}
