import { sql } from "kysely";
import type { DisputeState } from "#contract/life-cycle.ts";
import type { Dispute, Intent } from "../../adapters/cards/port.ts";
import type { Tx } from "../../db/database.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { enqueue } from "../../jobs/job-queue.ts";
import type { BookingEmail } from "../deals/booking-email.ts";
import { bookingEmails } from "../deals/deal-emails.ts";
import { notifyParties } from "../deals/notify-parties.ts";
import { retryRefunds } from "./refund-booking.ts";

/** `goesBack`: the buyer gets the whole payment back. */
type DisputedPayment = {
  bookingId: string;
  paymentId: string;
  intent: Intent;
  goesBack: boolean;
};

/**
 * Records a payment's disputes, and may email the seller about new states. An open dispute or
 * inquiry puts the payout on hold. Returns the recorded states by id. Requires a locked booking.
 */
export async function recordDisputes(
  tx: Tx,
  deps: Deps,
  payment: DisputedPayment,
): Promise<Map<string, DisputeState>> {
  const { disputes } = payment.intent;
  const states = new Map<string, DisputeState>();
  for (const dispute of disputes)
    states.set(dispute.id, await recordDispute(tx, deps, { ...payment, dispute }));
  if (disputes.length > 0) await updatePayoutHold(tx, payment.bookingId, deps.clock.now());
  return states;
}

async function recordDispute(
  tx: Tx,
  deps: Deps,
  { bookingId, paymentId, intent, goesBack, dispute }: DisputedPayment & { dispute: Dispute },
): Promise<DisputeState> {
  const at = deps.clock.now();
  const { id, state, reason, amountCents } = dispute;
  const before = await tx
    .selectFrom("disputes")
    .select(["state", "closed_at"])
    .where("id", "=", id)
    .executeTakeFirst();
  // This report is older than the recorded state.
  if (before && stepOf[state] < stepOf[before.state]) return before.state;
  const isNewState = before?.state !== state;
  const closedAt = state === "won" || state === "lost" ? at : null;
  await storeDispute(tx, paymentId, dispute, isNewState ? closedAt : before.closed_at);
  if (!isNewState) return state;
  const by = { at, actor: null, verb: verbs[state], object: "payment" } as const;
  const outcome = state !== "open" && { outcome: state };
  const detail = { ...outcome, reason, amountCents, disputeId: id };
  await recordAudit(tx, { ...by, objectId: paymentId, detail });
  if (closedAt) await resumeRefund(tx, paymentId);
  if (state === "won") await retryRefunds(tx, { bookingId, paymentId, at, actor: null });
  // The seller gets none of this payment, and may have sold the laptop to someone else.
  if (goesBack) return state;
  // The payment was refunded in full, so no email says that it stands.
  if (state === "won" && intent.refundedCents === intent.amountCents) return state;
  const isWhole = amountCents === intent.amountCents;
  const about = { transactionId: intent.id, ...(!isWhole && { sellerCents: amountCents }) };
  await notifyParties(tx, deps, { bookingId, email: disputeEmails[state], payment: about });
  return state;
}

async function storeDispute(
  tx: Tx,
  paymentId: string,
  { id, state, reason, amountCents, respondBy, openedAt }: Dispute,
  closedAt: Date | null,
): Promise<void> {
  const now = { state, amount_cents: amountCents, respond_by: respondBy, closed_at: closedAt };
  await tx
    .insertInto("disputes")
    .values({ ...now, id, payment_id: paymentId, reason, opened_at: openedAt })
    .onConflict((conflict) => conflict.column("id").doUpdateSet(now))
    .execute();
}

/** Retries the payment's refund, which may have waited until the dispute was closed. */
async function resumeRefund(tx: Tx, paymentId: string): Promise<void> {
  await tx.updateTable("payments").set({ retry_at: null }).where("id", "=", paymentId).execute();
  await enqueue(tx, "refundPayment", { payload: { paymentId } });
}

const stepOf: Record<DisputeState, number> = { inquiry: 0, open: 1, won: 2, lost: 2 };

const verbs: Record<DisputeState, string> = {
  inquiry: "openInquiry",
  open: "openDispute",
  won: "closeDispute",
  lost: "closeDispute",
};

const disputeEmails: Record<DisputeState, BookingEmail> = {
  inquiry: bookingEmails.inquiryOpened,
  open: bookingEmails.disputeOpened,
  won: bookingEmails.disputeWon,
  lost: bookingEmails.disputeLost,
};

async function updatePayoutHold(tx: Tx, bookingId: string, at: Date): Promise<void> {
  const open = await tx
    .selectFrom("disputes")
    .innerJoin("payments", "payments.id", "disputes.payment_id")
    .select("disputes.id")
    .where("payments.booking_id", "=", bookingId)
    .where("disputes.closed_at", "is", null)
    .limit(1)
    .executeTakeFirst();
  await tx
    .updateTable("bookings")
    .set({ payout_held_at: open ? sql<Date>`coalesce(payout_held_at, ${at})` : null })
    .$if(!open, (held) => held.set({ handover_minutes: withTimeOnHold(at) }))
    .where("id", "=", bookingId)
    .execute();
}

/** SQL: the handover time plus the time during which the payout was held. */
function withTimeOnHold(at: Date) {
  return sql<number>`handover_minutes
    + coalesce(ceil(extract(epoch from ${at}::timestamptz - payout_held_at) / 60)::int, 0)`;
}
