import { sql } from "kysely";
import { type Tx, transact } from "../../db/database.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { enqueue } from "../../jobs/job-queue.ts";
import { notifyParties } from "../deals/notify-parties.ts";
import { changeDeal, type Deal, readDeal } from "../ledger/post-journal.ts";
import { mayBePaidOut, takeBackRefusedDiscount } from "./discounts-in-review.ts";
import {
  absent,
  changeMove,
  insertMove,
  isAbsent,
  type Move,
  nextAttempt,
  repeatCall,
} from "./money-moves.ts";
import { canBePaid } from "./payout-accounts.ts";
import { findOpenReversal } from "./reverse-transfers.ts";
import { closeDeal } from "./settlement.ts";
import { settlementEmails } from "./settlement-emails.ts";
import { followDecision, releaseRest } from "./split-money.ts";

/**
 * Records a transfer before the provider is called. Returns the transfer to make or repeat, if any.
 * Requires that the payment and its transfers have just been read from the provider.
 */
export async function nextTransfer(deps: Deps, bookingId: string): Promise<Move | undefined> {
  const at = deps.clock.now();
  return await transact(deps.db, `nextTransfer ${bookingId}`, async (tx) => {
    const settlement = await lockSettlement(tx, bookingId, at);
    if (!settlement) return undefined;
    const live = await findLive(tx, bookingId, settlement.round);
    if (live) return await repeat(tx, deps, live);
    const payable = await selectPayable(tx, at)
      .where("settlements.booking_id", "=", bookingId)
      .executeTakeFirst();
    if (!payable) return undefined;
    const deal: Deal = { bookingId, currency: deps.shop.currency, at };
    await takeBackRefusedDiscount(tx, deal, payable.seller_id);
    const due = await releaseRest(tx, deal);
    if (due === 0) return void (await followDecision(tx, deal));
    return await intendTransfer(tx, deps, { deal, due, ...payable });
  });
}

type Transfer = { deal: Deal; due: number; account_id: string; seller_id: string; round: number };

/** Withholds what the seller owes for other deals, then records a transfer of the rest, if any. */
async function intendTransfer(
  tx: Tx,
  deps: Deps,
  { deal, due, account_id: accountId, seller_id: sellerId, round }: Transfer,
): Promise<Move | undefined> {
  const { bookingId, at } = deal;
  const attempt = await nextAttempt(tx, { bookingId, kind: "transfer" });
  const owed = await setOff(tx, deal, { sellerId, cents: due, attempt, round });
  if (owed === due) {
    await closeDeal(tx, { bookingId, at, verb: "payOut", detail: { setOffCents: owed } });
    const payment = { sellerCents: owed };
    await notifyParties(tx, deps, { bookingId, email: settlementEmails.moneySetOff, payment });
    return undefined;
  }
  const cents = due - owed;
  const cardCents = (await readDeal(tx, { bookingId })).paidByCard();
  // The provider counts earlier transfers against the charge, even if they were reversed.
  const fromBalance = cents > cardCents || round > 1;
  const by = { at, actor: null, verb: "intend transfer", object: "booking" } as const;
  await recordAudit(tx, { ...by, objectId: bookingId, detail: { attempt, cents, accountId } });
  const transfer = { bookingId, cents, at, accountId, round, fromBalance };
  return await insertMove(tx, { ...transfer, kind: "transfer" });
}

/** Selects deals whose sellers can be paid now. Ignores transfers under way. */
export function selectPayable(tx: Tx, now: Date) {
  return tx
    .selectFrom("settlements")
    .innerJoin("bookings", "bookings.id", "settlements.booking_id")
    .innerJoin("payout_accounts", "payout_accounts.member_id", "settlements.seller_id")
    .select(["settlements.booking_id", "settlements.seller_id", "settlements.round"])
    .select("payout_accounts.account_id")
    .where("settlements.releasing", "=", true)
    .where("bookings.payout_held_at", "is", null)
    .where(isRetryDue(now))
    .where(canBePaid)
    .where(mayBePaidOut);
}

const isRetryDue = (now: Date) =>
  sql<boolean>`(settlements.retry_at is null or settlements.retry_at <= ${now})`;

/** Locks a deal with money to send, and the account, so that two of a seller's sales take turns. */
async function lockSettlement(tx: Tx, bookingId: string, now: Date) {
  const settlement = await tx
    .selectFrom("bookings")
    .innerJoin("settlements", "settlements.booking_id", "bookings.id")
    .select(["settlements.seller_id", "settlements.round"])
    .where("bookings.id", "=", bookingId)
    .where("settlements.releasing", "=", true)
    .where("bookings.payout_held_at", "is", null)
    .where(isRetryDue(now))
    .forUpdate()
    .executeTakeFirst();
  if (settlement)
    await tx
      .selectFrom("payout_accounts")
      .select("member_id")
      .where("member_id", "=", settlement.seller_id)
      .forUpdate()
      .execute();
  return settlement;
}

async function findLive(tx: Tx, bookingId: string, round: number): Promise<Move | undefined> {
  return await tx
    .selectFrom("money_moves")
    .selectAll()
    .where("booking_id", "=", bookingId)
    .where("kind", "=", "transfer")
    .where("round", "=", round)
    .where("state", "in", ["intended", "made"])
    .executeTakeFirst();
}

/** Repeats a call without a response. Once the call can't arrive, marks the transfer as refused. */
async function repeat(tx: Tx, deps: Deps, transfer: Move): Promise<Move | undefined> {
  const at = deps.clock.now();
  if (transfer.state !== "intended") return undefined;
  if (isAbsent(transfer, at)) {
    await refuseTransfer(tx, deps, { transfer, refusal: absent });
    return undefined;
  }
  const due = (await readDeal(tx, { bookingId: transfer.booking_id })).due();
  // After a dispute, less may be due. But the same idempotency key requires the same amount.
  return due < transfer.cents ? undefined : await repeatCall(tx, transfer, at);
}

type SetOff = { sellerId: string; cents: number; attempt: number; round: number };

/** Uses up to `cents` to pay what the seller owes for other deals. Returns the cents used. */
async function setOff(
  tx: Tx,
  deal: Deal,
  { sellerId, cents, attempt, round }: SetOff,
): Promise<number> {
  let left = cents;
  for (const debt of await lockDebts(tx, sellerId)) {
    const paid = Math.min(left, debt.cents);
    if (paid === 0) break;
    left -= paid;
    const id = `${deal.bookingId}:${round}:${attempt}:${debt.bookingId}`;
    await changeDeal(tx, deal, (to) => to.paySetOff(id, paid));
    await changeDeal(tx, { ...deal, bookingId: debt.bookingId }, (from) =>
      from.receiveSetOff(id, paid),
    );
    const by = { at: deal.at, actor: null, verb: "recover debt", object: "booking" } as const;
    const detail = { cents: paid, fromBookingId: deal.bookingId };
    await recordAudit(tx, { ...by, objectId: debt.bookingId, detail });
  }
  return cents - left;
}

/** Skips locked or disputed deals, and debts that a reversal may be paying. */
async function lockDebts(tx: Tx, sellerId: string) {
  const { rows } = await sql<{ booking_id: string }>`
    select booking_id from bookings
    join (
      select distinct booking_id from ledger_entries join ledger_journals on id = journal_id
      where account = 'seller_receivable'
    ) as debt on debt.booking_id = bookings.id
    where booking_id in (select booking_id from settlements where seller_id = ${sellerId})
      and bookings.payout_held_at is null
    for update of bookings skip locked`.execute(tx);
  const debts: { bookingId: string; cents: number }[] = [];
  for (const { booking_id: bookingId } of rows) {
    // The lock on the booking prevents new reversals.
    if (await findOpenReversal(tx, bookingId)) continue;
    const journals = await readDeal(tx, { bookingId });
    const cents = journals.balance("seller_receivable");
    if (cents > 0) debts.push({ bookingId, cents });
  }
  return debts;
}

const hour = 3_600_000;

/** The delay after a refusal is the attempt number times `retryMs`, up to `maxRetryMs`. */
const retryMs = hour;
const maxRetryMs = 24 * hour;

type Refused = { transfer: Move; refusal: string };

/** Allows an immediate retry if the call never arrived. Requires a locked booking. */
export async function refuseTransfer(
  tx: Tx,
  { clock, shop }: Deps,
  { transfer, refusal }: Refused,
): Promise<void> {
  const at = clock.now();
  const { id, booking_id: bookingId, account_id, attempt } = transfer;
  await changeMove(tx, id, { state: "refused", refusal, at });
  const waitMs = refusal === absent ? 0 : Math.min(retryMs * attempt, maxRetryMs);
  await tx
    .updateTable("settlements")
    .set({ retry_at: new Date(at.getTime() + waitMs) })
    .where("booking_id", "=", bookingId)
    .execute();
  const by = { at, actor: null, verb: "refuse transfer", object: "booking" } as const;
  await recordAudit(tx, { ...by, objectId: bookingId, detail: { attempt, reason: refusal } });
  // A bank may have returned all of the money to the buyer since the transfer was requested.
  await followDecision(tx, { bookingId, currency: shop.currency, at });
  if (refusal === "transfers_not_allowed" && account_id !== null)
    await enqueue(tx, "readSellerAccount", { payload: { accountId: account_id } });
}
