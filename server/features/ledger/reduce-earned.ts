import { sql } from "kysely";
import type { Tx } from "../../db/database.ts";

/**
 * The seller of a deal has earned so many cents less: their overview says so, and the shop's. Never less than nothing: of a
 * sale that is taken back more than once the shop's fee may come here again.
 */
export async function reduceEarned(tx: Tx, bookingId: string, cents: number): Promise<void> {
  if (cents === 0) return;
  const paid = sql`amount_cents + (select discount_cents + credit_cents from bookings where id = booking_id)`;
  await tx
    .updateTable("payments")
    .set({ part_refunded_cents: sql<number>`least(part_refunded_cents + ${cents}, ${paid})` })
    .where("booking_id", "=", bookingId)
    .where("state", "=", "succeeded")
    .execute();
}
