import type { Intent } from "../../adapters/cards/port.ts";
import { type Tx, transact } from "../../db/database.ts";
import { enqueue } from "../../db/job-queue.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";
import { retryOrGiveUp } from "../booking-lifecycle/failed-partial-refunds.ts";
import { settlePayment } from "../booking-lifecycle/settle-payment.ts";
import { postRefund } from "../ledger/post-payment.ts";
import {
  claimPartialRefund,
  type PartialRefund,
  releaseRest,
} from "../settlement-lifecycle/claim-partial-refund.ts";

/**
 * Job `refundPart`: refunds a part of a payment, once. Before each call the payment is read from the provider, and what
 * became of all earlier attempts is recorded: their ids are in the refunds' metadata. One that never arrived is asked
 * for again, by another attempt once the first can't arrive any more.
 */
export async function refundPart(deps: Deps, refundId: string): Promise<void> {
  const refund = await findUnfinished(deps.db, refundId);
  if (!refund?.intent_id) return;
  const intent = await deps.cards.findIntent(refund.intent_id);
  await settlePayment(deps, intent, "reconciler");
  const found = await recordFound(deps, refund.booking_id, intent);
  const attempt = await claimPartialRefund(deps, refundId, { mayCall: !found });
  if (attempt) await callProvider(deps, attempt, intent.id);
}

/** One whose outcome is not known, or that is to be tried again. */
async function findUnfinished(tx: Tx, id: string) {
  return await tx
    .selectFrom("partial_refunds")
    .innerJoin("bookings", "bookings.id", "partial_refunds.booking_id")
    .select(["partial_refunds.booking_id", "bookings.intent_id"])
    .where("partial_refunds.id", "=", id)
    .where("partial_refunds.next_look_at", "is not", null)
    .executeTakeFirst();
}

/** Records the attempts whose answers were lost, or that were taken for lost. Returns whether there were any. */
async function recordFound(deps: Deps, bookingId: string, { refunds }: Intent): Promise<boolean> {
  const open = await deps.db
    .selectFrom("partial_refunds")
    .select("id")
    .where("booking_id", "=", bookingId)
    .where("provider_id", "is", null)
    .execute();
  const found = refunds.filter(({ metadata }) => open.some(({ id }) => id === metadata.refundId));
  for (const { id, metadata } of found) await recordMade(deps, metadata.refundId ?? "", id);
  return found.length > 0;
}

async function callProvider(
  deps: Deps,
  { id, cents, idempotency_key: idempotencyKey }: PartialRefund,
  intentId: string,
): Promise<void> {
  const metadata = { refundId: id };
  const answer = await deps.cards
    .refundPart({ intentId, amountCents: cents, metadata, idempotencyKey })
    .catch(unlessUnavailable);
  if (answer === undefined) return;
  if ("refundId" in answer) await recordMade(deps, id, answer.refundId);
  else if (answer.refused !== "idempotency_key_in_use")
    await recordRefused(deps, id, answer.refused);
}

/** Of an answer that was lost nothing is known: the money may be on its way. */
function unlessUnavailable(error: unknown): undefined {
  if (error instanceof AppError && error.code === "PROVIDER_UNAVAILABLE") return undefined;
  throw error;
}

/** The part is refunded, and the rest is the seller's. */
async function recordMade(deps: Deps, id: string, providerId: string): Promise<void> {
  const at = deps.clock.now();
  await transact(deps.db, `refundPart ${id}`, async (tx) => {
    const refund = await lockUnmade(tx, id);
    if (!refund || (await isFollowed(tx, refund))) return;
    const { booking_id: bookingId, cents, intent_id: intentId } = refund;
    await tx
      .updateTable("partial_refunds")
      .set({ state: "made", provider_id: providerId, refusal: null })
      .set({ next_look_at: null, given_up_at: null })
      .where("id", "=", id)
      .execute();
    const deal = { bookingId, currency: deps.config.currency, at };
    await postRefund(tx, deal, { id: providerId, amountCents: cents });
    await releaseRest(tx, deps, { bookingId, detail: { cents, refundId: providerId } });
    // It may have failed already, and its event arrived before this.
    if (intentId) await enqueue(tx, "settleIntent", { payload: { intentId } });
  });
}

/** Another attempt, with another key, follows. */
async function recordRefused(deps: Deps, id: string, refusal: string): Promise<void> {
  const at = deps.clock.now();
  await transact(deps.db, `refuseRefundPart ${id}`, async (tx) => {
    const refund = await lockUnmade(tx, id);
    if (refund?.state !== "intended") return;
    const { booking_id: bookingId, attempt } = refund;
    await tx
      .updateTable("partial_refunds")
      .set({ state: "refused", refusal, next_look_at: null })
      .where("id", "=", id)
      .execute();
    const by = { at, actor: null, verb: "refuse refund", object: "booking" } as const;
    await recordAudit(tx, { ...by, objectId: bookingId, detail: { attempt, reason: refusal } });
    await retryOrGiveUp(tx, deps, { bookingId, refundId: id, reason: refusal });
  });
}

type Attempt = { id: string; booking_id: string; part: number };

/** Whether another attempt of its part is under way: it has to end first. */
async function isFollowed(tx: Tx, { id, booking_id, part }: Attempt) {
  const other = await tx
    .selectFrom("partial_refunds")
    .select("id")
    .where("booking_id", "=", booking_id)
    .where("part", "=", part)
    .where("id", "<>", id)
    .where("failed_at", "is", null)
    .where("state", "in", ["intended", "made"])
    .executeTakeFirst();
  return other !== undefined;
}

/** Locks the booking first (decision 0018). */
async function lockUnmade(tx: Tx, id: string) {
  return await tx
    .selectFrom("bookings")
    .innerJoin("partial_refunds", "partial_refunds.booking_id", "bookings.id")
    .selectAll("partial_refunds")
    .select("bookings.intent_id")
    .where("partial_refunds.id", "=", id)
    .where("partial_refunds.state", "in", ["intended", "refused"])
    .forUpdate()
    .executeTakeFirst();
}

/** Refunds of a part whose outcome is not known, or that have to be tried again; none while a bank decides. */
export async function listPartialRefunds({ db, clock }: Deps): Promise<string[]> {
  const rows = await db
    .selectFrom("partial_refunds")
    .innerJoin("bookings", "bookings.id", "partial_refunds.booking_id")
    .select("partial_refunds.id")
    .where("partial_refunds.next_look_at", "<=", clock.now())
    .where("bookings.payout_held_at", "is", null)
    .orderBy("partial_refunds.next_look_at")
    .limit(200)
    .execute();
  return rows.map(({ id }) => id);
}
