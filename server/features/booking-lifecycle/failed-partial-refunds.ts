import type { Intent, Refund } from "../../adapters/cards/port.ts";
import type { Tx } from "../../db/database.ts";
import { newId } from "../../db/ids.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import type { DealJournals } from "../ledger/deal-journals.ts";
import { readDeal } from "../ledger/post-journal.ts";
import { bookingEmails } from "./emails.ts";
import { nextPartialRefund } from "./next-partial-refund.ts";
import { notifyParties } from "./notify-parties.ts";
import { retryDelaysMs } from "./refund-retries.ts";

type Failed = { bookingId: string; refundId: string; reason: string };

/** No later attempt gets past it. */
const neverRefunded = "charge_already_refunded";

/** Marks refunds of a part that the buyer's bank has sent back, to be tried again. The caller has locked the booking. */
export async function applyFailedPartialRefunds(
  tx: Tx,
  deps: Deps,
  { bookingId, intent }: { bookingId: string; intent: Intent },
): Promise<void> {
  const sentBack = intent.refunds.filter(({ state }) => state === "failed");
  for (const { id, failureReason: reason = "unknown" } of sentBack) {
    const failed = await tx
      .updateTable("partial_refunds")
      .set({ failed_at: deps.clock.now() })
      .where("booking_id", "=", bookingId)
      .where("provider_id", "=", id)
      .where("failed_at", "is", null)
      .returning("id")
      .executeTakeFirst();
    if (failed) await retryOrGiveUp(tx, deps, { bookingId, refundId: failed.id, reason });
  }
  if (intent.refundedCents > 0 || intent.disputes.length > 0)
    await resumeIfPaid(tx, deps, bookingId);
}

type Reported = { bookingId: string; paymentId: string; intent: Intent; journals: DealJournals };

/**
 * Refunds of a part that an admin made in the provider's dashboard and the buyer's bank sent back: the shop goes on as
 * with its own (decision 0104). A refund counts once, by the report that posted its failure alone.
 */
export async function adoptRefunds(
  tx: Tx,
  deps: Deps,
  { bookingId, paymentId, intent, journals }: Reported,
): Promise<void> {
  const added = journals.added();
  const has = (key: string) => added.some((one) => one.key === key);
  const sentBack = intent.refunds.filter(
    ({ id }) => has(`refund_failed:${id}`) && !has(`refund:${id}`),
  );
  const found = await listUnknown(tx, paymentId, sentBack);
  if (found.length === 0) return;
  if ((await readDeal(tx, { bookingId })).owed() === 0) return;
  for (const { id, amountCents, failureReason: reason = "unknown" } of found) {
    const at = deps.clock.now();
    const refundId = newId(at);
    await tx
      .insertInto("partial_refunds")
      .values({
        ...{ id: refundId, booking_id: bookingId, cents: amountCents, intended_at: at },
        ...{ ...(await nextPartialRefund(tx, bookingId)), idempotency_key: id },
        ...{ state: "made", provider_id: id, failed_at: at },
      })
      .execute();
    await retryOrGiveUp(tx, deps, { bookingId, refundId, reason });
  }
}

/** Of a payment that is not refunded as a whole, the refunds that the shop has not made. */
async function listUnknown(tx: Tx, paymentId: string, sentBack: Refund[]): Promise<Refund[]> {
  const others = sentBack.filter(({ metadata }) => metadata.refundId === undefined);
  if (others.length === 0) return [];
  const known = await tx
    .selectFrom("payments")
    .leftJoin("partial_refunds", "partial_refunds.booking_id", "payments.booking_id")
    .select("partial_refunds.provider_id")
    .where("payments.id", "=", paymentId)
    .where("payments.state", "=", "succeeded")
    .execute();
  if (known.length === 0) return [];
  return others.filter(({ id }) => known.every(({ provider_id }) => provider_id !== id));
}

/**
 * After a refusal or failure of a part: it is tried again after an hour and after a day, like the refund of a whole
 * payment; then, and after a refusal for good, an admin has to see to it.
 */
export async function retryOrGiveUp(
  tx: Tx,
  deps: Deps,
  { bookingId, refundId, reason }: Failed,
): Promise<void> {
  const at = deps.clock.now();
  const delayMs = retryDelaysMs[(await countFailures(tx, bookingId)) - 1];
  const by = { at, actor: null, object: "booking", objectId: bookingId } as const;
  if (delayMs === undefined || reason === neverRefunded)
    return await giveUpPartialRefund(tx, deps, { bookingId, refundId, reason });
  const retryAt = new Date(at.getTime() + delayMs);
  await tx
    .updateTable("partial_refunds")
    .set({ next_look_at: retryAt })
    .where("id", "=", refundId)
    .execute();
  const detail = { reason, retryAt: retryAt.toISOString() };
  await recordAudit(tx, { ...by, verb: "fail partial refund", detail });
}

async function countFailures(tx: Tx, bookingId: string): Promise<number> {
  const attempts = await tx
    .selectFrom("partial_refunds")
    .select(["failed_at", "refusal"])
    .where("booking_id", "=", bookingId)
    .execute();
  return attempts.filter(
    ({ failed_at, refusal }) => failed_at !== null || (refusal !== null && refusal !== "absent"),
  ).length;
}

/** Hands a refund of a part to the admins, and tells the buyer. */
export async function giveUpPartialRefund(
  tx: Tx,
  deps: Deps,
  { bookingId, refundId, reason }: Failed,
): Promise<void> {
  const at = deps.clock.now();
  await tx
    .updateTable("partial_refunds")
    .set({ given_up_at: at, next_look_at: null })
    .where("id", "=", refundId)
    .execute();
  const cents = (await readDeal(tx, { bookingId })).owed();
  const toDo =
    "ask the buyer how to send the part in another way, then press Sent another way in Payments; or try again there";
  const by = { at, actor: null, object: "booking", objectId: bookingId } as const;
  const detail = { reason, cents, toDo };
  await recordAudit(tx, { ...by, verb: "give up partial refund", detail });
  const payment = { transactionId: "", cents };
  const { partialRefundFailed, partRefundFailed } = bookingEmails;
  const email = (await hasComplaint(tx, bookingId)) ? partialRefundFailed : partRefundFailed;
  await notifyParties(tx, deps, { bookingId, email, payment });
}

async function hasComplaint(tx: Tx, bookingId: string): Promise<boolean> {
  const complaint = await tx
    .selectFrom("complaints")
    .select("booking_id")
    .where("booking_id", "=", bookingId)
    .executeTakeFirst();
  return complaint !== undefined;
}

/** The buyer has the part by now, from an admin or their bank: the job `settleDeals` goes on. */
async function resumeIfPaid(tx: Tx, { clock }: Deps, bookingId: string): Promise<void> {
  const waiting = tx
    .updateTable("partial_refunds")
    .set({ given_up_at: null, next_look_at: clock.now() })
    .where("booking_id", "=", bookingId)
    .where("given_up_at", "is not", null);
  const isWaiting = await tx
    .selectFrom("partial_refunds")
    .select("id")
    .where("booking_id", "=", bookingId)
    .where("given_up_at", "is not", null)
    .executeTakeFirst();
  if (isWaiting && (await readDeal(tx, { bookingId })).owed() === 0) await waiting.execute();
}
