import type { Tx } from "../../db/database.ts";

/** The seller of a deal has earned so many cents less: their overview says so, and the shop's. */
export async function reduceEarned(tx: Tx, bookingId: string, cents: number): Promise<void> {
  if (cents === 0) return;
  await tx
    .updateTable("payments")
    .set(({ eb }) => ({ part_refunded_cents: eb("part_refunded_cents", "+", cents) }))
    .where("booking_id", "=", bookingId)
    .where("state", "=", "succeeded")
    .execute();
}
