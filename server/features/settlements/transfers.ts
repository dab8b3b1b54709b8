import type { Transfer } from "../../adapters/cards/seller-payouts-port.ts";
import { transferGroupOf } from "../../adapters/cards/seller-payouts-port.ts";
import { type Tx, transact } from "../../db/database.ts";
import { enqueue } from "../../db/job-queue.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";
import { settlePayment } from "../booking-lifecycle/settle-payment.ts";
import { applySettlement } from "../booking-lifecycle/settlement.ts";
import { notifyParties } from "../email/notify.ts";
import { dealJournals } from "../ledger/deal-journals.ts";
import { postedJournals, postJournals } from "../ledger/post-journal.ts";
import { firstLookMs, intendTransfer } from "./intend-transfer.ts";

const minute = 60_000;
const hour = 60 * minute;

/** A call that the provider has not answered can't arrive there later than this. */
const latestArrivalMs = 10 * minute;
/** How long a refused transfer waits for the next attempt, the number of attempts times. */
const retryMs = hour;
const longestRetryMs = 24 * hour;

/** Sends a deal's money to its seller, if it is due and they have an account (decision 0072). */
export async function payOutDeal(deps: Deps, bookingId: string): Promise<void> {
  const chargeId = await readCharge(deps, bookingId);
  if (chargeId === undefined) return;
  const transferId = await intendTransfer(deps, bookingId);
  if (transferId !== undefined) await makeTransfer(deps, transferId, chargeId);
}

/** Reads the payment from the provider, and records what is new of it, such as a dispute. Returns its charge. */
async function readCharge(deps: Deps, bookingId: string): Promise<string | undefined> {
  const booking = await deps.db
    .selectFrom("bookings")
    .select("intent_id")
    .where("id", "=", bookingId)
    .executeTakeFirst();
  if (!booking?.intent_id) return undefined;
  const intent = await deps.cards.findIntent(booking.intent_id);
  await settlePayment(deps, intent, "reconciler");
  return intent.chargeId;
}

/** Asks the provider for an intended transfer. If its answer is lost, the job looks it up. */
async function makeTransfer(deps: Deps, id: string, sourceCharge: string): Promise<void> {
  const transfer = await findTransfer(deps.db, id);
  if (transfer?.state !== "intended") return;
  const { booking_id: bookingId, cents: amountCents, currency, attempt } = transfer;
  const answer = await deps.cards
    .createTransfer({
      ...{ amountCents, currency, sourceCharge, accountId: transfer.account_id },
      transferGroup: transferGroupOf(bookingId),
      metadata: { transferId: id, bookingId, attempt: String(attempt) },
      idempotencyKey: transfer.idempotency_key,
    })
    .catch(unlessUnavailable);
  if (answer === undefined) return;
  if ("transferId" in answer) await recordMade(deps, id, answer.transferId);
  else if (answer.refused !== "idempotency_key_in_use")
    await recordRefused(deps, id, answer.refused);
}

/** Of an answer that was lost nothing is known: the transfer may have been made. */
function unlessUnavailable(error: unknown): undefined {
  if (error instanceof AppError && error.code === "PROVIDER_UNAVAILABLE") return undefined;
  throw error;
}

/**
 * Asks the provider what became of an intended transfer. One that never arrived is asked for again: with the same
 * key while the first call may still arrive, later by another attempt.
 */
export async function lookUpTransfer(deps: Deps, id: string): Promise<void> {
  const transfer = await findTransfer(deps.db, id);
  if (transfer?.state !== "intended") return;
  const { booking_id: bookingId, intended_at: intendedAt } = transfer;
  const made = await deps.cards.findTransfers(transferGroupOf(bookingId));
  const found = made.find(({ metadata }) => metadata.transferId === id);
  if (found) return await recordMade(deps, id, found.id);
  const age = deps.clock.now().getTime() - intendedAt.getTime();
  if (age >= latestArrivalMs) return await recordRefused(deps, id, absent);
  await deps.db
    .updateTable("transfers")
    .set({ next_look_at: new Date(deps.clock.now().getTime() + firstLookMs) })
    .where("id", "=", id)
    .where("state", "=", "intended")
    .execute();
  const charge = await readCharge(deps, bookingId);
  if (charge !== undefined) await makeTransfer(deps, id, charge);
}

const absent = "absent";

async function findTransfer(tx: Tx, id: string) {
  return await tx.selectFrom("transfers").selectAll().where("id", "=", id).executeTakeFirst();
}

async function recordMade(deps: Deps, id: string, providerId: string): Promise<void> {
  const at = deps.clock.now();
  await transact(deps.db, `recordMade ${id}`, async (tx) => {
    const transfer = await lockIntended(tx, id);
    if (!transfer) return;
    const { booking_id: bookingId, cents, currency, attempt } = transfer;
    await tx
      .updateTable("transfers")
      .set({ state: "made", provider_id: providerId, made_at: at, next_look_at: null })
      .where("id", "=", id)
      .execute();
    const journals = dealJournals(await postedJournals(tx, bookingId));
    journals.transfer({ id: providerId, cents });
    await postJournals(tx, { bookingId, currency, at }, journals.added());
    const detail = { attempt, cents, transferId: providerId };
    await applySettlement(tx, { bookingId, transition: "payOut", at, actor: null, detail });
    const payment = { transactionId: providerId, cents };
    await notifyParties(tx, deps, { bookingId, event: "moneySent", payment });
  });
}

async function recordRefused(deps: Deps, id: string, refusal: string): Promise<void> {
  const at = deps.clock.now();
  await transact(deps.db, `recordRefused ${id}`, async (tx) => {
    const transfer = await lockIntended(tx, id);
    if (!transfer) return;
    const { booking_id: bookingId, account_id: accountId, attempt } = transfer;
    await tx
      .updateTable("transfers")
      .set({ state: "refused", refusal, next_look_at: null })
      .where("id", "=", id)
      .execute();
    const waitMs = refusal === absent ? 0 : Math.min(retryMs * attempt, longestRetryMs);
    await tx
      .updateTable("settlements")
      .set({ retry_at: new Date(at.getTime() + waitMs) })
      .where("booking_id", "=", bookingId)
      .execute();
    const by = { at, actor: null, verb: "refuse transfer", object: "booking" } as const;
    await recordAudit(tx, { ...by, objectId: bookingId, detail: { attempt, reason: refusal } });
    if (refusal === "transfers_not_allowed")
      await enqueue(tx, "readSellerAccount", { payload: { accountId } });
  });
}

/** Locks the booking first (decision 0018). */
async function lockIntended(tx: Tx, id: string) {
  return await tx
    .selectFrom("bookings")
    .innerJoin("transfers", "transfers.booking_id", "bookings.id")
    .selectAll("transfers")
    .where("transfers.id", "=", id)
    .where("transfers.state", "=", "intended")
    .forUpdate()
    .executeTakeFirst();
}

/** Records what the provider took back of a booking's transfers, in its dashboard or by this shop. */
export async function recordReversals(deps: Deps, bookingId: string): Promise<void> {
  for (const transfer of await deps.cards.findTransfers(transferGroupOf(bookingId)))
    if (transfer.reversals.length > 0) await recordReversalsOf(deps, bookingId, transfer);
}

async function recordReversalsOf(deps: Deps, bookingId: string, made: Transfer): Promise<void> {
  const at = deps.clock.now();
  await transact(deps.db, `recordReversals ${made.id}`, async (tx) => {
    const transfer = await tx
      .selectFrom("bookings")
      .innerJoin("transfers", "transfers.booking_id", "bookings.id")
      .select(["transfers.id", "transfers.cents", "transfers.state", "transfers.currency"])
      .where("transfers.provider_id", "=", made.id)
      .where("bookings.id", "=", bookingId)
      .forUpdate()
      .executeTakeFirst();
    if (!transfer) return;
    const journals = dealJournals(await postedJournals(tx, bookingId));
    // The provider lists the newest first.
    for (const { id, amountCents } of made.reversals.toReversed())
      journals.reverseTransfer({ id, cents: amountCents });
    await postJournals(tx, { bookingId, currency: transfer.currency, at }, journals.added());
    const isWhole = made.reversedCents >= transfer.cents;
    await tx
      .updateTable("transfers")
      .set({ reversed_cents: made.reversedCents, state: isWhole ? "reversed" : transfer.state })
      .where("id", "=", transfer.id)
      .execute();
  });
}
