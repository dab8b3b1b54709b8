import {
  type BookingTransition,
  newSettlementState,
  type SettlementTransition,
  settlementTransitions,
} from "#contract/life-cycle.ts";
import type { Tx } from "../../db/database.ts";
import { recordAudit } from "../../db/record-audit.ts";

type Move = { bookingId: string; transition: SettlementTransition; at: Date };

/**
 * Moves the settlement of a booking from one state of `contract/life-cycle.ts` to the next. Returns false, and
 * changes nothing, if it is in none that the transition starts from. The caller has locked the booking.
 */
export async function moveSettlement(
  tx: Tx,
  { bookingId, transition, at }: Move,
): Promise<boolean> {
  const { from, to } = settlementTransitions[transition];
  const { numUpdatedRows } = await tx
    .updateTable("settlements")
    .set({ state: to, since: at, reminders: 0, retry_at: null })
    .set(transition === "handOver" ? { handed_over_at: at } : {})
    .where("booking_id", "=", bookingId)
    .where("state", "in", from)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

type AuditedMove = Move & { actor: string | null; detail?: Record<string, string | number> };

/** Like `moveSettlement`, with an audit row about the booking. */
export async function applySettlement(tx: Tx, move: AuditedMove): Promise<boolean> {
  if (!(await moveSettlement(tx, move))) return false;
  const { bookingId, transition: verb, at, actor, detail = {} } = move;
  await recordAudit(tx, { at, actor, verb, object: "booking", objectId: bookingId, detail });
  return true;
}

/** The settlement follows its booking; the booking's audit row stands for both. */
export async function followBooking(
  tx: Tx,
  { bookingId, transition, at }: { bookingId: string; transition: BookingTransition; at: Date },
): Promise<void> {
  if (transition === "pay" || transition === "reclaim") await openSettlement(tx, bookingId, at);
  if (transition === "complete")
    await moveSettlement(tx, { bookingId, transition: "handOver", at });
  if (transition === "refund")
    await moveSettlement(tx, { bookingId, transition: "startRefund", at });
}

async function openSettlement(tx: Tx, bookingId: string, at: Date): Promise<void> {
  await tx
    .insertInto("settlements")
    .columns(["booking_id", "seller_id", "state", "since", "paid_at"])
    .expression((from) =>
      from
        .selectFrom("bookings")
        .innerJoin("products", "products.id", "bookings.product_id")
        .select(({ val }) => [
          "bookings.id",
          "products.seller_id",
          val(newSettlementState).as("state"),
          val(at).as("since"),
          val(at).as("paid_at"),
        ])
        .where("bookings.id", "=", bookingId),
    )
    .execute();
}
