import { type BookingTransition, bookingTransitions } from "#contract/life-cycle.ts";
import { recordAudit } from "../../db/audit-log.ts";
import type { Tx } from "../../db/database.ts";

type Move = { bookingId: string; transition: BookingTransition; at: Date; actor: string | null };

/**
 * Moves a booking and its product by one transition of the life cycle, with its audit row. Answers
 * false, and changes nothing, where either is not in the state the transition starts from.
 */
export async function applyTransition(
  tx: Tx,
  { bookingId, transition, at, actor }: Move,
): Promise<boolean> {
  const { from, to, product } = bookingTransitions[transition];
  const booking = await tx
    .selectFrom("bookings")
    .select("product_id")
    .where("id", "=", bookingId)
    .where("state", "in", from)
    .forUpdate()
    .executeTakeFirst();
  if (!booking) return false;
  const claimed = await tx
    .updateTable("products")
    .set({ sales_status: product.to })
    .where("id", "=", booking.product_id)
    .where("sales_status", "=", product.from)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  if (claimed.numUpdatedRows === 0n) return false;
  const ended = transition === "cancel" ? { cancelled_by: actor } : {};
  await tx
    .updateTable("bookings")
    .set({ state: to, network: null, ...ended })
    .where("id", "=", bookingId)
    .execute();
  await recordAudit(tx, { at, actor, verb: transition, object: "booking", objectId: bookingId });
  return true;
}
