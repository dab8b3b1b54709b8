import { sql } from "kysely";
import type { Tx } from "../../db/database.ts";

/** Lowers what the overviews say the seller has earned with a deal, never below zero. */
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
