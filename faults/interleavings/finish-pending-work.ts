import { sql } from "kysely";
import type { Deps } from "#server/deps.ts";
import { endHold } from "#server/features/deals/end-hold.ts";
import { payOutDeal } from "#server/features/money/pay-out-deal.ts";
import { recordReversals, recoverDebt } from "#server/features/money/reverse-transfers.ts";
import { listDueRefunds, refundPayment } from "#server/features/money/send-refund.ts";
import { settleIntent } from "#server/features/money/webhook-events.ts";
import type { Scenario } from "./scenario.ts";

const bookingsOf = ({ db }: Deps, { product, second }: Scenario) =>
  db.selectFrom("bookings").where("product_id", "in", [product, second]);

export async function finishPendingWork(deps: Deps, scenario: Scenario): Promise<void> {
  const bookings = await bookingsOf(deps, scenario).select(["id", "intent_id"]).execute();
  for (const { intent_id } of bookings) if (intent_id) await settleIntent(deps, intent_id);
  const due = await deps.db
    .selectFrom("payments")
    .select("id")
    .where("state", "=", "refund_due")
    .execute();
  for (const { id } of due) await refundPayment(deps, id);
  await finishSettlements(deps, scenario);
  // A dispute may have prevented a refund, so the shop reads the payment again.
  if (due.length > 0)
    for (const { intent_id } of bookings) if (intent_id) await settleIntent(deps, intent_id);
}

async function finishSettlements(deps: Deps, scenario: Scenario): Promise<void> {
  const { db } = deps;
  // An earlier call time makes the shop look up lost responses immediately.
  const called = sql<Date>`last_called_at - interval '1 minute'`;
  await db
    .updateTable("money_moves")
    .set({ last_called_at: called })
    .where("state", "=", "intended")
    .execute();
  const transfers = await bookingsOf(deps, scenario)
    .innerJoin("money_moves", "money_moves.booking_id", "bookings.id")
    .select(["money_moves.state", "bookings.id as bookingId"])
    .where("money_moves.kind", "=", "transfer")
    .where("money_moves.state", "in", ["intended", "made"])
    .execute();
  for (const { state, bookingId } of transfers) {
    if (state === "intended") await payOutDeal(deps, bookingId);
    await recordReversals(deps, bookingId);
  }
  for (const id of await listDueRefunds(deps, 200)) await refundPayment(deps, id);
  const reversals = db
    .selectFrom("money_moves")
    .select("booking_id")
    .where("kind", "=", "reversal");
  for (const { booking_id } of await reversals.where("state", "=", "intended").execute())
    await recoverDebt(deps, booking_id);
}

/** Cancels the holds, except deleted members', so that the invariant check reports those. */
export async function cancelHolds(deps: Deps, scenario: Scenario): Promise<void> {
  const holds = await bookingsOf(deps, scenario)
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
