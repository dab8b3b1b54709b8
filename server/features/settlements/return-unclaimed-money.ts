import { type Tx, transact } from "../../db/database.ts";
import { enqueue } from "../../db/job-queue.ts";
import type { Deps } from "../../deps.ts";
import { markRefundDue } from "../booking-lifecycle/refunds.ts";
import { applySettlement } from "../booking-lifecycle/settlement-transition.ts";
import { notifyParties } from "../email/notify.ts";
import { lockSettlement } from "../settlement-lifecycle/lock-settlement.ts";
import { lookUpEarlierTransfers } from "./make-transfer.ts";
import { canReceive } from "./payout-accounts.ts";

/**
 * Deals whose money can't stay with us any longer, and whose seller has no account for it (decision 0087). Not those of
 * which a part went back: their refund would be of the rest only, so an admin, who was told on day 75, sees to them.
 * Nor those of which the seller was paid before.
 */
export async function listUnclaimedMoney({ db, clock, config }: Deps): Promise<string[]> {
  const rows = await db
    .selectFrom("settlements")
    .innerJoin("bookings", "bookings.id", "settlements.booking_id")
    .leftJoin("payout_accounts", "payout_accounts.member_id", "settlements.seller_id")
    .select("settlements.booking_id")
    .where("settlements.state", "=", "releasing")
    .where("settlements.round", "=", 1)
    .where("settlements.paid_at", "<=", latestPayment(clock.now(), config.settlement))
    .where("bookings.payout_held_at", "is", null)
    .where(({ or, eb }) =>
      or([eb("transfers_active", "is", null), eb("transfers_active", "=", false)]),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("partial_refunds")
            .select("id")
            .whereRef("partial_refunds.booking_id", "=", "settlements.booking_id"),
        ),
      ),
    )
    .orderBy("settlements.paid_at")
    .limit(100)
    .execute();
  return rows.map(({ booking_id }) => booking_id);
}

function latestPayment(now: Date, { latestMs }: Deps["config"]["settlement"]): Date {
  return new Date(now.getTime() - latestMs);
}

/** Gives the buyer back what the seller has not claimed. Earlier transfers are looked up before: one may have arrived. */
export async function returnUnclaimedMoney(deps: Deps, bookingId: string): Promise<void> {
  const { clock, config } = deps;
  const at = clock.now();
  await lookUpEarlierTransfers(deps, bookingId);
  await transact(deps.db, `returnUnclaimedMoney ${bookingId}`, async (tx) => {
    const settlement = await lockSettlement(tx, bookingId, "releasing");
    if (!settlement || settlement.paid_at > latestPayment(at, config.settlement)) return;
    if (await canReceive(tx, settlement.seller_id)) return;
    if (await isUnderWay(tx, bookingId)) return;
    const move = { bookingId, at, actor: null };
    await applySettlement(tx, { ...move, transition: "returnUnclaimed" });
    const paymentId = await markRefundDue(tx, move);
    await enqueue(tx, "refundPayment", { payload: { paymentId } });
    await notifyParties(tx, deps, { bookingId, event: "unclaimedMoney" });
  });
}

/** Whether a transfer to the seller was asked for, and is not known to be refused. */
async function isUnderWay(tx: Tx, bookingId: string): Promise<boolean> {
  const transfer = await tx
    .selectFrom("transfers")
    .select("id")
    .where("booking_id", "=", bookingId)
    .where("state", "<>", "refused")
    .executeTakeFirst();
  return transfer !== undefined;
}
