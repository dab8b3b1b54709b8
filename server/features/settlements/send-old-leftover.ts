import { type RawBuilder, sql } from "kysely";
import { type Tx, transact } from "../../db/database.ts";
import { newId } from "../../db/ids.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { notifyParties } from "../booking-lifecycle/notify-parties.ts";
import { type Returned, returnContribution } from "../credits/return-contribution.ts";
import { postedJournals } from "../ledger/post-journal.ts";
import { reduceEarned } from "../ledger/reduce-earned.ts";
import { adminsHaveUntil, latestPayment } from "./deadlines.ts";
import { settlementEmails } from "./emails.ts";
import { leftoverKinds, readLeftover } from "./leftover.ts";
import { lookUpEarlierTransfers } from "./make-transfer.ts";
import { canBePaid } from "./payout-accounts.ts";
import { reduceEarnedByFee, refundLeftover, releaseLeftover } from "./settle-leftover.ts";

/** Settled deals whose money came back, and of which admins have known for long enough without sending it on. */
export async function listOldLeftovers(deps: Deps): Promise<string[]> {
  const rows = await deps.db
    .selectFrom("settlements")
    .innerJoin("bookings", "bookings.id", "settlements.booking_id")
    .select("booking_id")
    .where(isOld(deps))
    .orderBy("leftover_alarmed_at")
    .limit(100)
    .execute();
  return rows.map(({ booking_id }) => booking_id);
}

/**
 * SQL condition on `settlements` and `bookings`: a part of the buyer's that is under way or was given up comes first, and
 * of what changed after the last email the admins are told anew.
 */
function isOld(deps: Deps): RawBuilder<boolean> {
  return sql<boolean>`settlements.leftover_alarmed_at <= ${adminsHaveUntil(deps)}
    and settlements.paid_at <= ${latestPayment(deps)}
    and settlements.state in ('released', 'refunded')
    and bookings.payout_held_at is null
    and not exists (
      select from partial_refunds r
      where r.booking_id = bookings.id and (r.next_look_at is not null or r.given_up_at is not null))
    and not exists (
      select from ledger_journals j
      where j.booking_id = bookings.id and j.kind in (${leftoverKinds})
        and j.at > settlements.leftover_alarmed_at)`;
}

/**
 * Sends on what no admin has: to the buyer's card, or to the seller who paid for a dispute that the shop has won since.
 * What neither of them can get goes back to where it came from, as credit and discount.
 */
export async function sendOldLeftover(deps: Deps, bookingId: string): Promise<void> {
  await lookUpEarlierTransfers(deps, bookingId);
  await transact(deps.db, `sendOldLeftover ${bookingId}`, async (tx) => {
    const sellerId = await lockOld(tx, deps, bookingId);
    if (sellerId === undefined) return;
    const { cents, toBuyerCents, waits } = await readLeftover(tx, bookingId);
    // If money comes back again, the admins are told again.
    await tx
      .updateTable("settlements")
      .set({ leftover_alarmed_at: null })
      .where("booking_id", "=", bookingId)
      .execute();
    if (cents === 0) return;
    const leftover = { bookingId, cents, waits, actor: null };
    if ((await isOfSeller(tx, bookingId)) && (await canBePaid(tx, sellerId)))
      return await releaseLeftover(tx, deps, leftover);
    // First, so that the email about the refund names it.
    const returned = await returnAsPaid(tx, deps, { bookingId, most: cents - toBuyerCents });
    const { creditCents } = returned;
    const left = { ...leftover, cents: cents - returned.cents, creditCents };
    if (toBuyerCents > 0) return await refundLeftover(tx, deps, left);
    if (returned.cents === 0) return;
    await reduceEarnedByFee(tx, bookingId, left.cents);
    const payment = { transactionId: "", creditCents };
    await notifyParties(tx, deps, { bookingId, email: settlementEmails.creditReturned, payment });
  });
}

/** What the card has not paid of it. */
async function returnAsPaid(
  tx: Tx,
  { clock }: Deps,
  { bookingId, most }: { bookingId: string; most: number },
): Promise<Returned> {
  const at = clock.now();
  const returned = await returnContribution(tx, { bookingId, at, most, id: newId(at) });
  const { cents } = returned;
  if (cents === 0) return returned;
  await reduceEarned(tx, bookingId, cents);
  const by = { at, actor: null, verb: "return contribution", object: "booking" } as const;
  await recordAudit(tx, { ...by, objectId: bookingId, detail: { cents } });
  return returned;
}

/** Locks the booking first (decision 0018). Returns the seller; undefined if it is not old any more. */
async function lockOld(tx: Tx, deps: Deps, bookingId: string): Promise<string | undefined> {
  await tx.selectFrom("bookings").select("id").where("id", "=", bookingId).forUpdate().execute();
  const found = await tx
    .selectFrom("bookings")
    .innerJoin("settlements", "settlements.booking_id", "bookings.id")
    .select("settlements.seller_id")
    .where("bookings.id", "=", bookingId)
    .where(isOld(deps))
    .executeTakeFirst();
  return found?.seller_id;
}

/**
 * Whether the bank has decided for the shop, and nobody else for the buyer: no complaint gave them anything, and no admin
 * has taken money back from the seller in the provider's dashboard.
 */
async function isOfSeller(tx: Tx, bookingId: string): Promise<boolean> {
  const won = await tx
    .selectFrom("disputes")
    .innerJoin("payments", "payments.id", "disputes.payment_id")
    .select("disputes.id")
    .where("payments.booking_id", "=", bookingId)
    .where("disputes.state", "=", "won")
    .executeTakeFirst();
  if (!won) return false;
  const complaint = await tx
    .selectFrom("complaints")
    .select("booking_id")
    .where("booking_id", "=", bookingId)
    .where("refund_cents", ">", 0)
    .executeTakeFirst();
  if (complaint) return false;
  const own = await tx
    .selectFrom("transfer_reversals")
    .select("provider_id")
    .where("booking_id", "=", bookingId)
    .execute();
  const journals = await postedJournals(tx, bookingId);
  return journals
    .filter(({ kind }) => kind === "transfer_reversal")
    .every(({ reference }) => own.some(({ provider_id }) => provider_id === reference));
}
