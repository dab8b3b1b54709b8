import { type RawBuilder, sql } from "kysely";
import { type Tx, transact } from "../../db/database.ts";
import { newId } from "../../db/ids.ts";
import { enqueue } from "../../db/job-queue.ts";
import type { Deps } from "../../deps.ts";
import { notifyParties } from "../booking-lifecycle/notify-parties.ts";
import { owedToBuyer } from "../booking-lifecycle/owed-to-buyer.ts";
import { readLostCents } from "../booking-lifecycle/refunded-and-disputed.ts";
import { markRefundDue } from "../booking-lifecycle/refunds.ts";
import { applySettlement } from "../booking-lifecycle/settlement-transition.ts";
import { returnContribution } from "../credits/return-contribution.ts";
import { dealJournals } from "../ledger/deal-journals.ts";
import { postedJournals, postJournals } from "../ledger/post-journal.ts";
import { reduceEarned } from "../ledger/reduce-earned.ts";
import { refundToCard } from "../settlement-lifecycle/claim-partial-refund.ts";
import { lockSettlement } from "../settlement-lifecycle/lock-settlement.ts";
import { adminsHaveUntil, latestPayment } from "./deadlines.ts";
import { settlementEmails } from "./emails.ts";
import { lookUpEarlierTransfers } from "./make-transfer.ts";

/** How often the provider has to refuse a transfer, the last time after the deadline, before the money counts as unclaimed. */
const refusals = 3;

/** Deals whose money can't stay with us any longer, and can't reach its seller (decision 0087). */
export async function listUnclaimedMoney(deps: Deps): Promise<string[]> {
  const rows = await deps.db
    .selectFrom("settlements")
    .innerJoin("bookings", "bookings.id", "settlements.booking_id")
    .select("settlements.booking_id")
    .where("settlements.state", "=", "releasing")
    .where("settlements.paid_at", "<=", latestPayment(deps))
    .where("bookings.payout_held_at", "is", null)
    .where(isUnclaimed(deps))
    .orderBy("settlements.paid_at")
    .limit(100)
    .execute();
  return rows.map(({ booking_id }) => booking_id);
}

/**
 * SQL condition on `settlements`: its seller has no account, is suspended, or the provider has refused them again and
 * again, and not because the shop's own balance was too small; nothing is under way to either side. A release, a
 * suspension and a bank's decision are some days ago, and so is the email to the admins about what they have sent the
 * seller once more.
 */
function isUnclaimed(deps: Deps): RawBuilder<boolean> {
  const { latestMs } = deps.config.settlement;
  const until = adminsHaveUntil(deps);
  return sql<boolean>`settlements.since <= ${until}
    and not exists (
      select from disputes d join payments p on p.id = d.payment_id
      where p.booking_id = settlements.booking_id and d.closed_at > ${until})
    and (
      (
        (settlements.round = 1 or settlements.leftover_alarmed_at <= ${until})
        and not exists (
          select from payout_accounts a join members m on m.id = a.member_id
          where a.member_id = settlements.seller_id and a.transfers_active
            and (m.suspended_at is null or m.suspended_at > ${until})))
      or (
        select count(*) >= ${refusals} and max(intended_at) >= settlements.paid_at + ${latestMs} * interval '1 millisecond'
        from transfers t
        where t.booking_id = settlements.booking_id and t.round = settlements.round
          and t.state = 'refused' and t.refusal not in ('absent', 'balance_insufficient')))
    and not exists (
      select from transfers t
      where t.booking_id = settlements.booking_id and t.round = settlements.round and t.state <> 'refused')
    and not exists (
      select from partial_refunds r
      where r.booking_id = settlements.booking_id and r.next_look_at is not null)`;
}

/** Gives the buyer back what can't reach the seller. Earlier transfers are looked up before: one may have arrived. */
export async function returnUnclaimedMoney(deps: Deps, bookingId: string): Promise<void> {
  await lookUpEarlierTransfers(deps, bookingId);
  await transact(deps.db, `returnUnclaimedMoney ${bookingId}`, async (tx) => {
    const settlement = await lockSettlement(tx, bookingId, "releasing");
    if (!settlement || settlement.paid_at > latestPayment(deps)) return;
    if (!(await isStillUnclaimed(tx, deps, bookingId))) return;
    const isWhole = settlement.round === 1 && (await isUntouched(tx, bookingId));
    await (isWhole ? returnWhole : returnRest)(tx, deps, bookingId);
  });
}

/** Read once the booking is locked. */
async function isStillUnclaimed(tx: Tx, deps: Deps, bookingId: string): Promise<boolean> {
  const found = await tx
    .selectFrom("settlements")
    .select("booking_id")
    .where("booking_id", "=", bookingId)
    .where(isUnclaimed(deps))
    .executeTakeFirst();
  return found !== undefined;
}

/** Whether the provider can refund the payment as a whole: the shop has refunded no part, and no bank has given back any. */
async function isUntouched(tx: Tx, bookingId: string): Promise<boolean> {
  const part = await tx
    .selectFrom("partial_refunds")
    .select("id")
    .where("booking_id", "=", bookingId)
    .limit(1)
    .executeTakeFirst();
  return part === undefined && (await readLostCents(tx, bookingId)) === 0;
}

async function returnWhole(tx: Tx, deps: Deps, bookingId: string): Promise<void> {
  const move = { bookingId, at: deps.clock.now(), actor: null };
  await applySettlement(tx, { ...move, transition: "returnUnclaimed" });
  const paymentId = await markRefundDue(tx, move);
  await enqueue(tx, "refundPayment", { payload: { paymentId } });
  await notifyParties(tx, deps, { bookingId, email: settlementEmails.unclaimedMoney });
}

/** What the buyer's card has paid of it goes there; discount and credit go back to where they came from. */
async function returnRest(tx: Tx, deps: Deps, bookingId: string): Promise<void> {
  const at = deps.clock.now();
  const deal = { bookingId, currency: deps.config.currency, at };
  const journals = dealJournals(await postedJournals(tx, bookingId));
  journals.recallAll(newId(at));
  await postJournals(tx, deal, journals.added());
  const owed = await owedToBuyer(tx, bookingId, journals);
  const free = Math.max(0, journals.held() - owed);
  const cents = Math.max(0, Math.min(free, journals.paidByCard() - owed));
  const detail = { cents };
  const transition = journals.transferred() > 0 ? "recallLeftover" : "returnRest";
  await applySettlement(tx, { bookingId, transition, at, actor: null, detail });
  const returned = await returnContribution(tx, {
    ...{ bookingId, at, most: free - cents, id: newId(at) },
  });
  await reduceEarned(tx, bookingId, cents + returned.cents);
  if (cents > 0) await refundToCard(tx, { bookingId, cents, at, journals });
  const { creditCents } = returned;
  const payment = { transactionId: "", cents, sellerCents: cents + returned.cents, creditCents };
  const email = cents > 0 ? settlementEmails.unclaimedRest : settlementEmails.unclaimedCredit;
  if (payment.sellerCents > 0) await notifyParties(tx, deps, { bookingId, email, payment });
}
