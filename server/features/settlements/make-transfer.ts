import { transferGroupOf } from "../../adapters/cards/seller-payouts-port.ts";
import { type Tx, transact } from "../../db/database.ts";
import { enqueue } from "../../db/job-queue.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";
import { notifyParties } from "../booking-lifecycle/notify-parties.ts";
import { applySettlement } from "../booking-lifecycle/settlement-transition.ts";
import { changeDeal } from "../ledger/post-journal.ts";
import { closeIfEmpty } from "../money/empty-settlements.ts";
import { settlePayment } from "../money/settle-payment.ts";
import { firstLookMs, isAbsent, mayRepeat } from "../settlement-lifecycle/unanswered-calls.ts";
import { settlementEmails } from "./emails.ts";
import { intendTransfer } from "./intend-transfer.ts";

const hour = 3_600_000;

/** How long a refused transfer waits for the next attempt, the number of attempts times. */
const retryMs = hour;
const longestRetryMs = 24 * hour;

/**
 * Sends a deal's money to its seller, if it is due and they have an account (decision 0072). Earlier attempts are looked
 * up before: one that was taken for lost may have arrived.
 */
export async function payOutDeal(deps: Deps, bookingId: string): Promise<void> {
  const chargeId = await readCharge(deps, bookingId);
  if (chargeId === undefined) return;
  await lookUpEarlierTransfers(deps, bookingId);
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
      ...{ amountCents, currency, accountId: transfer.account_id },
      ...(!transfer.from_balance && { sourceCharge }),
      transferGroup: transferGroupOf(bookingId),
      metadata: { transferId: id, bookingId, attempt: String(attempt) },
      idempotencyKey: transfer.idempotency_key,
    })
    .catch(unlessUnavailable);
  if (answer === undefined) return;
  if ("transferId" in answer) await recordMade(deps, id, answer.transferId);
  else if (answer.refused !== "idempotency_key_in_use")
    await recordRefused(deps, id, { refusal: answer.refused });
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
  const found = await lookUpEarlierTransfers(deps, transfer.booking_id);
  const now = deps.clock.now();
  if (isAbsent(transfer, now))
    return await recordRefused(deps, id, { refusal: absent, lastCall: transfer.last_called_at });
  if (found || !mayRepeat(transfer, now)) return;
  const charge = await readCharge(deps, transfer.booking_id);
  if (charge !== undefined && (await recordCall(deps, id))) await makeTransfer(deps, id, charge);
}

/**
 * Records the attempts whose answers were lost, or that were taken for lost: their ids are in the transfers' metadata.
 * Returns whether there were any.
 */
export async function lookUpEarlierTransfers(deps: Deps, bookingId: string): Promise<boolean> {
  const open = await deps.db
    .selectFrom("transfers")
    .select("id")
    .where("booking_id", "=", bookingId)
    .where("provider_id", "is", null)
    .execute();
  if (open.length === 0) return false;
  const made = await deps.cards.findTransfers(transferGroupOf(bookingId));
  const found = made.filter(({ metadata }) => open.some(({ id }) => id === metadata.transferId));
  for (const { id, metadata } of found) await recordMade(deps, metadata.transferId ?? "", id);
  return found.length > 0;
}

/** Writes down, before the provider is asked, that an answer may be on its way from now on. */
async function recordCall({ db, clock }: Deps, id: string): Promise<boolean> {
  const at = clock.now();
  const { numUpdatedRows } = await db
    .updateTable("transfers")
    .set({ last_called_at: at, next_look_at: new Date(at.getTime() + firstLookMs) })
    .where("id", "=", id)
    .where("state", "=", "intended")
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

const absent = "absent";

async function findTransfer(tx: Tx, id: string) {
  return await tx.selectFrom("transfers").selectAll().where("id", "=", id).executeTakeFirst();
}

async function recordMade(deps: Deps, id: string, providerId: string): Promise<void> {
  const at = deps.clock.now();
  await transact(deps.db, `recordMade ${id}`, async (tx) => {
    const transfer = await lockUnmade(tx, id);
    if (!transfer) return;
    const others = await statesOfOthers(tx, transfer);
    // Another attempt has to end first.
    if (others.includes("intended")) return;
    const isSecond = others.length > 0;
    const { booking_id: bookingId, cents, currency, attempt } = transfer;
    await tx
      .updateTable("transfers")
      .set({ state: "made", provider_id: providerId, made_at: at })
      .set({ next_look_at: null, refusal: null, round: isSecond ? -attempt : transfer.round })
      .where("id", "=", id)
      .execute();
    await changeDeal(tx, { bookingId, currency, at }, (journals) =>
      journals.transfer({ id: providerId, cents }),
    );
    const detail = { attempt, cents, transferId: providerId };
    if (isSecond) {
      const by = { at, actor: null, verb: "transfer twice", object: "booking" } as const;
      return await recordAudit(tx, { ...by, objectId: bookingId, detail });
    }
    await applySettlement(tx, { bookingId, transition: "payOut", at, actor: null, detail });
    const payment = { transactionId: providerId, sellerCents: cents };
    await notifyParties(tx, deps, { bookingId, email: settlementEmails.moneySent, payment });
  });
}

/** `lastCall`: nothing was asked of the provider after it, or the attempt may still arrive. */
type Refused = { refusal: string; lastCall?: Date | null };

async function recordRefused(
  deps: Deps,
  id: string,
  { refusal, lastCall }: Refused,
): Promise<void> {
  const at = deps.clock.now();
  await transact(deps.db, `recordRefused ${id}`, async (tx) => {
    const transfer = await lockUnmade(tx, id);
    if (transfer?.state !== "intended") return;
    if (lastCall !== undefined && transfer.last_called_at?.getTime() !== lastCall?.getTime())
      return;
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
    // A bank may have given all of the money back meanwhile.
    await closeIfEmpty(tx, { bookingId, at });
    if (refusal === "transfers_not_allowed")
      await enqueue(tx, "readSellerAccount", { payload: { accountId } });
  });
}

type Attempt = { id: string; booking_id: string; round: number };

/** The other attempts of its round that are under way, or moved the money. */
async function statesOfOthers(tx: Tx, { id, booking_id, round }: Attempt) {
  const others = await tx
    .selectFrom("transfers")
    .select("state")
    .where("booking_id", "=", booking_id)
    .where("round", "=", round)
    .where("id", "<>", id)
    .where("state", "<>", "refused")
    .execute();
  return others.map(({ state }) => state);
}

/** Locks the booking first (decision 0018). */
async function lockUnmade(tx: Tx, id: string) {
  return await tx
    .selectFrom("bookings")
    .innerJoin("transfers", "transfers.booking_id", "bookings.id")
    .selectAll("transfers")
    .where("transfers.id", "=", id)
    .where("transfers.state", "in", ["intended", "refused"])
    .forUpdate()
    .executeTakeFirst();
}
