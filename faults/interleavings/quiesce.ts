import type { Deps } from "#server/deps.ts";
import { endHold } from "#server/features/bookings/hold-expiry.ts";
import { refundPayment } from "#server/features/payments/refunds.ts";
import { settleIntent } from "#server/features/payments/webhook.ts";
import type { Scene } from "./verbs.ts";

const bookingsOf = ({ db }: Deps, { product, second }: Scene) =>
  db.selectFrom("bookings").where("product_id", "in", [product, second]);

/** Does what is still on its way in a scene: news of money, and refunds that are due. */
export async function bringToRest(deps: Deps, scene: Scene): Promise<void> {
  const bookings = await bookingsOf(deps, scene).select(["id", "intent_id"]).execute();
  for (const { intent_id } of bookings) if (intent_id) await settleIntent(deps, intent_id);
  const due = await deps.db
    .selectFrom("payments")
    .select("id")
    .where("state", "=", "refund_due")
    .execute();
  for (const { id } of due) await refundPayment(deps, id);
}

/**
 * Lets go of the holds a scene has left, so that it takes no part in the next ones; those of somebody who
 * is deleted should not be there, and stay to be found.
 */
export async function clear(deps: Deps, scene: Scene): Promise<void> {
  const holds = await bookingsOf(deps, scene)
    .innerJoin("products", "products.id", "product_id")
    .innerJoin("members as buyer", "buyer.id", "buyer_id")
    .innerJoin("members as seller", "seller.id", "seller_id")
    .select("bookings.id")
    .where("state", "=", "held")
    .where("buyer.deleted_at", "is", null)
    .where("seller.deleted_at", "is", null)
    .execute();
  for (const { id } of holds) {
    await endHold(deps, { bookingId: id, transition: "cancel", actor: null });
  }
}
