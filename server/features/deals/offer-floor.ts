import { newOfferState } from "#contract/life-cycle.ts";
import { toCents } from "#contract/price.ts";
import type { Tx } from "../../db/database.ts";
import { recordAudit } from "../../db/record-audit.ts";
import { enqueue } from "../../jobs/job-queue.ts";

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
  await keepOffersFrom(tx, productId, toCents(floor ?? 0));
  const what = { object: "product", objectId: productId } as const;
  await recordAudit(tx, { at, actor, verb: "set lowest price", ...what });
}

/** Emails the seller offers that were to be declined, but are no longer below the lowest price. */
async function keepOffersFrom(tx: Tx, productId: string, floorCents: number): Promise<void> {
  const kept = await tx
    .updateTable("offers")
    .set({ decline_at: null })
    .where("product_id", "=", productId)
    .where("state", "=", newOfferState)
    .where("decline_at", "is not", null)
    .where("price_cents", ">=", floorCents)
    .returning("id")
    .execute();
  for (const { id: offerId } of kept)
    await enqueue(tx, "mailOffer", { payload: { offerId, state: newOfferState } });
}
