import { sql } from "kysely";
import type { SettlementState } from "#contract/life-cycle.ts";
import type { Tx } from "../../db/database.ts";
import { recordAudit } from "../../db/record-audit.ts";
import { hasLiveTransfer } from "./money-moves.ts";

/** SQL on `settlements`: the settlement's state. */
export const settlementState = sql<SettlementState>`settlement_state(settlements)`;

/** Whether the seller's money waits, with no transfer under way and no dispute or inquiry open. */
export async function isOpen(tx: Tx, bookingId: string): Promise<boolean> {
  const open = await tx
    .selectFrom("settlements")
    .innerJoin("bookings", "bookings.id", "settlements.booking_id")
    .select("settlements.booking_id")
    .where("settlements.booking_id", "=", bookingId)
    .where("settlements.releasing", "=", true)
    .where("bookings.payout_held_at", "is", null)
    .where(({ not }) => not(hasLiveTransfer))
    .executeTakeFirst();
  return open !== undefined;
}

/** `hasMore`: more money arrived during this payout round, and is sent in the next one. */
type Closing = {
  hasMore?: boolean;
  bookingId: string;
  at: Date;
  verb: "payOut" | "findEmpty";
  detail?: Record<string, string | number>;
};

/** Closes a deal, or starts another payout round. Requires a locked booking. */
export async function closeDeal(
  tx: Tx,
  { bookingId, at, verb, detail = {}, hasMore = false }: Closing,
): Promise<void> {
  await tx
    .updateTable("settlements")
    .set(hasMore ? { round: sql<number>`round + 1` } : { closed_at: at, retry_at: null })
    .where("booking_id", "=", bookingId)
    .execute();
  await recordAudit(tx, { at, actor: null, verb, object: "booking", objectId: bookingId, detail });
}
