import { type Tx, transact } from "../../db/database.ts";
import type { Deps } from "../../deps.ts";
import { enqueue } from "../../jobs/job-queue.ts";
import { changeDeal, readDeal } from "../ledger/post-journal.ts";
import { isDisputed } from "./dispute-checks.ts";
import { followRefund, giveUpRefund, partlyDisputed, readPayment } from "./follow-refund.ts";
import {
  absent,
  askProvider,
  changeMove,
  insertMove,
  isAbsent,
  keyOf,
  listMoves,
  type Move,
  repeatCall,
} from "./money-moves.ts";
import { settlePayment } from "./settle-payment.ts";

/**
 * Job `refundPayment`. Refunds exactly once: reads the payment from the provider first, and repeats
 * a request without a response. Starts a new attempt only once that request can't arrive.
 */
export async function refundPayment(deps: Deps, paymentId: string): Promise<void> {
  const payment = await deps.db
    .selectFrom("payments")
    .select("transaction_id as intentId")
    .where("id", "=", paymentId)
    .where("owed_since", "is not", null)
    .executeTakeFirst();
  if (!payment) return;
  const { intentId } = payment;
  await settlePayment(deps, await deps.cards.findIntent(intentId), "reconciler");
  const refund = await claimRefund(deps, paymentId);
  if (refund) await callProvider(deps, { refund, paymentId, intentId });
}

/** Records a refund before the provider is called. Undefined if no refund is possible now. */
async function claimRefund(deps: Deps, paymentId: string): Promise<Move | undefined> {
  const at = deps.clock.now();
  return await transact(deps.db, `claimRefund ${paymentId}`, async (tx) => {
    const payment = await lockPayment(tx, paymentId, at);
    const cents = (await readDeal(tx, payment.deal)).owed();
    const moves = await listMoves(tx, { paymentId, kind: "refund" });
    const open = moves.find(({ state }) => state === "intended");
    if (open && !isAbsent(open, at)) {
      // The earlier call may still arrive, and its idempotency key requires the same amount.
      return cents === open.cents ? await repeatCall(tx, open, at) : undefined;
    }
    if (open) {
      await changeMove(tx, open.id, { state: "refused", refusal: absent, at });
      // A bank, or an admin in the provider's dashboard, may have given the buyer all of the money.
      if (cents === 0) return void (await followRefund(tx, deps, { paymentId }));
    }
    const waits = payment.given_up_at !== null || (payment.retry_at && payment.retry_at > at);
    if (waits || cents === 0 || payment.disputed) return undefined;
    if (Number(payment.lost_cents) > 0)
      return void (await giveUpRefund(tx, deps, { payment, cents, reason: partlyDisputed }));
    return await insertMove(tx, {
      bookingId: payment.booking_id,
      paymentId,
      kind: "refund",
      cents,
      at,
    });
  });
}

/** Reads a payment after locking its booking (decisions/database). */
async function lockPayment(tx: Tx, paymentId: string, at: Date) {
  await tx
    .selectFrom("bookings")
    .innerJoin("payments", "payments.booking_id", "bookings.id")
    .select("bookings.id")
    .where("payments.id", "=", paymentId)
    .forUpdate("bookings")
    .execute();
  return await readPayment(tx, paymentId, at);
}

type Call = { refund: Move; paymentId: string; intentId: string };

async function callProvider(deps: Deps, { refund, paymentId, intentId }: Call): Promise<void> {
  const { id, cents: amountCents } = refund;
  const order = { intentId, amountCents, metadata: { moveId: id } };
  const answer = await askProvider(deps.cards.refund({ ...order, idempotencyKey: keyOf(refund) }));
  if (answer === undefined) return;
  const at = deps.clock.now();
  await transact(deps.db, `refundPayment ${id}`, async (tx) => {
    const { deal } = await lockPayment(tx, paymentId, at);
    const isOpen = (await listMoves(tx, { paymentId, kind: "refund" })).some(
      (move) => move.id === id && move.state === "intended",
    );
    if (!isOpen) return;
    if ("refused" in answer) {
      const { refused: refusal } = answer;
      await changeMove(tx, id, { state: "refused", refusal, at });
      await followRefund(tx, deps, { paymentId, failed: { reason: refusal } });
    } else {
      // The refund may have failed already. The provider's next report records that.
      const state = answer.state === "succeeded" ? "made" : "pending";
      await changeMove(tx, id, { state, providerId: answer.id, at });
      await changeDeal(tx, deal, (journals) => {
        journals.refund(answer);
        journals.coverLoss(deal.bookingId);
      });
      await followRefund(tx, deps, { paymentId });
    }
    await enqueue(tx, "settleIntent", { payload: { intentId } });
  });
}

/** Lists payments whose refund is due, even if it may be on its way. Skips disputed payments. */
export async function listDueRefunds({ db, clock }: Deps, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom("payments")
    .select("id")
    .where("owed_since", "is not", null)
    .where("given_up_at", "is", null)
    .where(({ not }) => not(isDisputed))
    .where(({ eb, or }) => or([eb("retry_at", "is", null), eb("retry_at", "<=", clock.now())]))
    .orderBy("owed_since")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}
