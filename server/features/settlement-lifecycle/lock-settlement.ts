import type { SettlementState } from "#contract/life-cycle.ts";
import type { Tx } from "../../db/database.ts";

/** Locks a booking (decision 0018), and returns its settlement if it is in this state and no bank is deciding about it. */
export async function lockSettlement(tx: Tx, bookingId: string, state: SettlementState) {
  return await tx
    .selectFrom("bookings")
    .innerJoin("settlements", "settlements.booking_id", "bookings.id")
    .select(["settlements.seller_id", "settlements.since", "settlements.reminders"])
    .select(["settlements.retry_at", "settlements.paid_at", "settlements.round"])
    .where("bookings.id", "=", bookingId)
    .where("bookings.payout_held_at", "is", null)
    .where("settlements.state", "=", state)
    .forUpdate()
    .executeTakeFirst();
}
