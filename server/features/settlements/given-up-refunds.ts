import { type Tx, transact } from "../../db/database.ts";
import { enqueue } from "../../db/job-queue.ts";
import type { Member } from "../../db/member.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { requireDecided, restNotToCard } from "../booking-lifecycle/refunded-and-disputed.ts";
import { readDeal } from "../ledger/post-journal.ts";
import { postSentRefund } from "../ledger/post-payment.ts";
import { releaseRest } from "../settlement-lifecycle/claim-partial-refund.ts";

/**
 * Tries a refund of a part again that was given up. Returns the payment; undefined if none was given up. Refuses `STALE` while
 * a dispute is open, and once the buyer's bank has given back a part.
 */
export async function retryPartialRefund(
  deps: Deps,
  admin: Member,
  bookingId: string,
): Promise<string | undefined> {
  return await transact(deps.db, "retryPartialRefund", async (tx) => {
    const refund = await lockGivenUp(tx, bookingId);
    if (!refund) return undefined;
    const lostCents = await requireDecided(tx, bookingId);
    if (lostCents > 0) throw restNotToCard({ lostCents });
    const at = deps.clock.now();
    await tx
      .updateTable("partial_refunds")
      .set({ given_up_at: null, next_look_at: at })
      .where("id", "=", refund.id)
      .execute();
    await enqueue(tx, "refundPart", { payload: { refundId: refund.id } });
    const by = { at, actor: admin.id, verb: "retry partial refund" };
    await recordAudit(tx, { ...by, object: "booking", objectId: bookingId });
    return refund.payment_id;
  });
}

/**
 * Marks a refund of a part that was given up as sent to the buyer in another way; the rest is the seller's. Returns
 * whether there was one. Refuses `STALE` while a dispute is open.
 */
export async function settlePartialRefund(
  deps: Deps,
  admin: Member,
  bookingId: string,
): Promise<boolean> {
  return await transact(deps.db, "settlePartialRefund", async (tx) => {
    const refund = await lockGivenUp(tx, bookingId);
    if (!refund) return false;
    await requireDecided(tx, bookingId);
    const at = deps.clock.now();
    const cents = (await readDeal(tx, { bookingId })).owed();
    await tx
      .updateTable("partial_refunds")
      .set({ given_up_at: null })
      .where("booking_id", "=", bookingId)
      .where("given_up_at", "is not", null)
      .execute();
    await tx
      .updateTable("payments")
      .set(({ eb }) => ({ sent_cents: eb("sent_cents", "+", cents) }))
      .where("id", "=", refund.payment_id)
      .execute();
    const deal = { bookingId, currency: deps.config.currency, at };
    await postSentRefund(tx, deal, { id: refund.id, cents });
    const by = { at, actor: admin.id, verb: "settle partial refund" };
    await recordAudit(tx, { ...by, object: "booking", objectId: bookingId, detail: { cents } });
    await releaseRest(tx, deps, { bookingId, detail: { sentCents: cents } });
    return true;
  });
}

/** Locks the booking first (decision 0018). */
async function lockGivenUp(tx: Tx, bookingId: string) {
  return await tx
    .selectFrom("bookings")
    .innerJoin("partial_refunds", "partial_refunds.booking_id", "bookings.id")
    .innerJoin("payments", "payments.booking_id", "bookings.id")
    .select(["partial_refunds.id", "payments.id as payment_id"])
    .where("bookings.id", "=", bookingId)
    .where("partial_refunds.given_up_at", "is not", null)
    .where("payments.state", "=", "succeeded")
    .forUpdate(["bookings", "partial_refunds"])
    .executeTakeFirst();
}
