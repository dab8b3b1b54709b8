import type { MoveState } from "#contract/life-cycle.ts";
import type { Intent, Refund } from "../../adapters/cards/port.ts";
import type { Tx } from "../../db/database.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { enqueue } from "../../jobs/job-queue.ts";
import type { BookingEmail } from "../deals/booking-email.ts";
import { bookingEmails } from "../deals/deal-emails.ts";
import { notifyParties } from "../deals/notify-parties.ts";
import { readDeal } from "../ledger/post-journal.ts";
import { dealOf } from "../ledger/post-payment.ts";
import { isDisputed, lostCentsOf } from "./dispute-checks.ts";
import { absent, changeMove, insertMove, listMoves, type Move } from "./money-moves.ts";

const hour = 3_600_000;

/** Delays before a refund is retried after its first and second failure. */
const retryDelaysMs = [hour, 24 * hour];

type PaymentWithDeal = Awaited<ReturnType<typeof readPayment>>;

export async function readPayment(tx: Tx, paymentId: string, at: Date) {
  const payment = await tx
    .selectFrom("payments")
    .innerJoin("bookings", "bookings.id", "payments.booking_id")
    .selectAll("payments")
    .select(["bookings.intent_id", "bookings.state as booking_state"])
    .select(({ ref }) => [
      isDisputed.as("disputed"),
      lostCentsOf(ref("payments.id")).as("lost_cents"),
    ])
    .where("payments.id", "=", paymentId)
    .executeTakeFirstOrThrow();
  const { booking_id: bookingId, currency, intent_id, transaction_id } = payment;
  const deal = dealOf({ bookingId, currency, at }, intent_id, transaction_id);
  return { ...payment, deal };
}

/** `failed`: a refund that just failed. `bySender`: an admin sent the money by other means. */
type Changed = { paymentId: string; failed?: Failure; bySender?: boolean };

/** Syncs a payment with its journals. While the buyer is owed money, a refund is due. */
export async function followRefund(
  tx: Tx,
  deps: Deps,
  { paymentId, failed, bySender = false }: Changed,
): Promise<void> {
  const at = deps.clock.now();
  const payment = await readPayment(tx, paymentId, at);
  const moves = await listMoves(tx, { paymentId, kind: "refund" });
  const cents = (await readDeal(tx, payment.deal)).owed();
  if (cents > 0) {
    await makeDue(tx, payment, at);
    if (failed) await retryOrGiveUp(tx, deps, { payment, moves, cents, ...failed });
    else if (payment.owed_since === null)
      await enqueue(tx, "refundPayment", { payload: { paymentId } });
    return;
  }
  // A request without a response may still reach the provider, so the refund stays due.
  if (moves.some(({ state }) => state === "intended")) return;
  await tx
    .updateTable("payments")
    .set({ owed_since: null, retry_at: null, given_up_at: null })
    .where("id", "=", paymentId)
    .execute();
  if (moves.some(({ state }) => state === "pending") || payment.disputed) return;
  if (payment.goes_back && payment.refunded_at === null)
    await endRefund(tx, deps, { payment, moves, at, bySender });
}

async function makeDue(tx: Tx, payment: PaymentWithDeal, at: Date): Promise<void> {
  const { id, state, owed_since } = payment;
  await tx
    .updateTable("payments")
    .set({ owed_since: owed_since ?? at })
    .set({ refunded_at: null })
    .where("id", "=", id)
    .execute();
  const by = { at, actor: null, verb: "reopenRefund", object: "payment" } as const;
  if (state === "refunded") await recordAudit(tx, { ...by, objectId: id });
}

type Ending = { payment: PaymentWithDeal; moves: Move[]; at: Date; bySender: boolean };

async function endRefund(
  tx: Tx,
  deps: Deps,
  { payment, moves, at, bySender }: Ending,
): Promise<void> {
  const { id, transaction_id: transactionId } = payment;
  await tx.updateTable("payments").set({ refunded_at: at }).where("id", "=", id).execute();
  // `settleRefund` has recorded the admin's action.
  if (bySender) return;
  const last = moves.findLast(({ state }) => state === "made");
  const by = { at, actor: null, verb: "refund", object: "payment", objectId: id } as const;
  const detail = last ? { refundId: last.provider_id ?? "" } : { paidBackBy: "bank" };
  await recordAudit(tx, { ...by, detail });
  const failures = countFailures(moves);
  // The buyer already got an email about a refund that the bank then returned. A second email
  // follows only after three failures, because then the buyer was told that the refund failed.
  const wasReturned = moves.some(({ state, made_at }) => state === "failed" && made_at !== null);
  const wasTold = wasReturned && failures <= retryDelaysMs.length;
  if (!last || wasTold) return;
  const about = { transactionId, cents: last.cents };
  const email = refundedEmail(payment);
  await notifyParties(tx, deps, { bookingId: payment.booking_id, email, payment: about });
}

function refundedEmail({ deal, booking_state }: PaymentWithDeal): BookingEmail {
  if (deal.intentId !== undefined) return bookingEmails.extraPaymentRefunded;
  const isSale = booking_state === "refunded" || booking_state === "completed";
  return isSale ? bookingEmails.refunded : bookingEmails.latePaymentRefunded;
}

function countFailures(moves: readonly Move[]): number {
  return moves.filter(
    ({ state, refusal }) => state === "failed" || (state === "refused" && refusal !== absent),
  ).length;
}

/** `refundId`: the failed refund, if the provider made one. */
type Failure = { reason: string; refundId?: string };
/** `cents`: what the buyer is owed. */
type OwedRefund = { payment: PaymentWithDeal; cents: number; reason: string };

/** The provider's refusal code for a charge that is already refunded, which a retry can't fix. */
const neverRefunded = "charge_already_refunded";

/** Gives up after the third failure, or after a failure that a retry can't fix. */
async function retryOrGiveUp(
  tx: Tx,
  deps: Deps,
  { payment, moves, cents, reason, refundId }: OwedRefund & Failure & { moves: Move[] },
): Promise<void> {
  const at = deps.clock.now();
  const { id: paymentId } = payment;
  const isPartlyLost = Number(payment.lost_cents) > 0;
  const delayMs = retryDelaysMs[countFailures(moves) - 1];
  const isOver = delayMs === undefined || isPartlyLost || reason === neverRefunded;
  const retryAt = isOver ? null : new Date(at.getTime() + delayMs);
  await tx.updateTable("payments").set({ retry_at: retryAt }).where("id", "=", paymentId).execute();
  const by = { at, actor: null, verb: "failRefund", object: "payment" } as const;
  const detail = {
    reason,
    ...(refundId && { refundId }),
    ...(retryAt && { retryAt: retryAt.toISOString() }),
  };
  await recordAudit(tx, { ...by, objectId: paymentId, detail });
  if (retryAt) await enqueue(tx, "refundPayment", { payload: { paymentId }, runAt: retryAt });
  else
    await giveUpRefund(tx, deps, {
      payment,
      cents,
      reason: isPartlyLost ? partlyDisputed : reason,
    });
}

/** The reason for giving up on a refund after a lost dispute about part of the payment. */
export const partlyDisputed = "partly_disputed";

export async function giveUpRefund(
  tx: Tx,
  deps: Deps,
  { payment, cents, reason }: OwedRefund,
): Promise<void> {
  const at = deps.clock.now();
  const { id: paymentId } = payment;
  await tx
    .updateTable("payments")
    .set({ given_up_at: at, retry_at: null })
    .where("id", "=", paymentId)
    .execute();
  const toDo = reason === partlyDisputed ? sendRest : sendAnotherWay;
  const by = { at, actor: null, verb: "giveUpRefund", object: "payment" } as const;
  await recordAudit(tx, { ...by, objectId: paymentId, detail: { reason, cents, toDo } });
  const { bookingId } = payment.deal;
  const about = { transactionId: payment.transaction_id, cents };
  const isWhole = payment.state !== "succeeded";
  const email = isWhole ? wholeEmail(reason) : bookingEmails.partRefundFailed;
  await notifyParties(tx, deps, { bookingId, email, payment: about });
}

const sendAnotherWay =
  "ask the buyer how to send the money another way, then press Sent another way in Payments; or try again there";

const sendRest =
  "ask the buyer how to send what their bank has not given back, then press Sent another way in Payments";

function wholeEmail(reason: string): BookingEmail {
  return reason === partlyDisputed
    ? bookingEmails.refundPartlyDisputed
    : bookingEmails.refundFailed;
}

type ReportedPayment = { bookingId: string; paymentId: string; intent: Intent; at: Date };

/**
 * `failed`: recorded refunds that have failed since. `elsewhere`: new refunds that the shop didn't
 * request, except failed ones.
 */
type Recorded = { failed: Refund[]; elsewhere: Refund[] };

/**
 * Records a payment's refunds. Matches them to moves by the provider's id, or by the move's id in
 * the metadata. Requires a locked booking.
 */
export async function recordRefunds(
  tx: Tx,
  { bookingId, paymentId, intent, at }: ReportedPayment,
): Promise<Recorded> {
  const recorded: Recorded = { failed: [], elsewhere: [] };
  if (intent.refunds.length === 0) return recorded;
  const moves = await listMoves(tx, { paymentId, kind: "refund" });
  // The provider lists the newest refund first.
  for (const refund of intent.refunds.toReversed()) {
    const state = stateOf[refund.state];
    const known = moves.find((move) => isOf(move, refund));
    if (known && rankOf[state] <= rankOf[known.state]) continue;
    const { id: providerId, amountCents: cents, failureReason: refusal } = refund;
    if (known) await changeMove(tx, known.id, { state, at, providerId, refusal });
    else {
      const refunded = { bookingId, paymentId, kind: "refund", cents, state } as const;
      await insertMove(tx, { ...refunded, at, providerId, refusal });
      if (state !== "failed") recorded.elsewhere.push(refund);
    }
    if (known && state === "failed") recorded.failed.push(refund);
  }
  return recorded;
}

function isOf(move: Move, { id, metadata }: Refund): boolean {
  return move.provider_id === id || move.id === metadata.moveId;
}

const stateOf = { pending: "pending", succeeded: "made", failed: "failed" } as const;

/** A later state has a higher rank, because reports may arrive out of order. */
const rankOf: Record<MoveState, number> = {
  intended: 0,
  refused: 0,
  pending: 1,
  made: 2,
  failed: 3,
};
