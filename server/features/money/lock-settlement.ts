import { sql } from "kysely";
import type { SettlementState } from "#contract/life-cycle.ts";
import type { Tx } from "../../db/database.ts";

/** SQL: where the money of a row of `settlements` is. */
export const settlementState = sql<SettlementState>`settlement_state(settlements)`;

/** Locks a booking (decision 0018), and returns its settlement unless a bank is deciding about it. */
export async function lockSettlement(tx: Tx, bookingId: string) {
  // Lock first, so that nothing the state depends on can change.
  await tx
    .selectFrom("bookings")
    .innerJoin("settlements", "settlements.booking_id", "bookings.id")
    .select("bookings.id")
    .where("bookings.id", "=", bookingId)
    .forUpdate()
    .execute();
  return await tx
    .selectFrom("settlements")
    .innerJoin("bookings", "bookings.id", "settlements.booking_id")
    .select(["settlements.booking_id", "settlements.seller_id", "settlements.paid_at"])
    .select("settlements.handed_over_at")
    .select(["settlements.decided_at", "settlements.reminders"])
    .select(["settlements.retry_at", "settlements.round", settlementState.as("state")])
    .where("bookings.id", "=", bookingId)
    .where("bookings.payout_held_at", "is", null)
    .executeTakeFirst();
}
