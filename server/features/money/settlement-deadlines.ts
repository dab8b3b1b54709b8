import { sql } from "kysely";
import { type Tx, transact } from "../../db/database.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { complaintUntil } from "../complaints/complaint-times.ts";
import { notifyParties } from "../deals/notify-parties.ts";
import { readDeal } from "../ledger/post-journal.ts";
import { canReceive } from "./payout-accounts.ts";
import { startRefund } from "./refund-booking.ts";
import { lockSettlement } from "./settlement.ts";
import { settlementEmails } from "./settlement-emails.ts";
import { decide } from "./split-money.ts";

const dayMs = 24 * 3_600_000;

/** SQL: how many reminders are due: after 7 and 12 of 14 days, the last in the last two days. */
const dueReminders = (now: Date) => sql<number>`(
  select count(*)::int from (values
    (handover_minutes / 2.0), (greatest(handover_minutes * 6 / 7.0, handover_minutes - 2 * 24 * 60))
  ) as reminder (minutes) where paid_at + minutes * interval '1 minute' <= ${now})`;

/** Nothing is due in the first hour after payment or handover, so the query skips newer deals. */
const minWaitMs = 3_600_000;

/** Lists deals with a due deadline or reminder: for handover, complaint or the seller's account. */
export async function listDeadlines({ db, clock }: Deps): Promise<string[]> {
  const now = clock.now();
  const isOver = (start: string, minutes: string) =>
    sql`${sql.ref(start)} + ${sql.ref(minutes)} * interval '1 minute' <= ${now}`;
  const days = sql`extract(epoch from ${now}::timestamptz - settlements.decided_at) / ${dayMs / 1000}`;
  const { rows } = await sql<{ id: string }>`
    (select bookings.id from settlements join bookings on bookings.id = booking_id
    where settlements.decided_at is null and coalesce(handed_over_at, paid_at) <= ${new Date(now.getTime() - minWaitMs)}
      and payout_held_at is null and case when handed_over_at is null
        then ${isOver("paid_at", "handover_minutes")} or reminders < ${dueReminders(now)}
        else ${isOver("handed_over_at", "complaint_minutes")}
          and not exists (select from complaints where complaints.booking_id = bookings.id) end
    order by coalesce(handed_over_at, paid_at) limit 200)
    union all
    (select bookings.id from settlements join bookings on bookings.id = booking_id
    where payout_held_at is null and settlements.releasing
      and reminders < 1 + (${days} >= 1)::int + (${days} >= 7)::int + floor(${days} / 30)
    order by settlements.decided_at limit 200)`.execute(db);
  return rows.map(({ id }) => id);
}

export async function meetDeadline(deps: Deps, bookingId: string): Promise<void> {
  await transact(deps.db, `meetDeadline ${bookingId}`, async (tx) => {
    const settlement = await lockSettlement(tx, bookingId);
    if (settlement?.state === "held") await meetHandoverTime(tx, deps, settlement);
    if (settlement?.state === "complaint_window") await endWindow(tx, deps, settlement);
    if (settlement?.state === "releasing") await remindOfAccount(tx, deps, settlement);
  });
}

type Settlement = NonNullable<Awaited<ReturnType<typeof lockSettlement>>>;

/** Refunds the buyer after the handover time. Before, sends one email for all due reminders. */
async function meetHandoverTime(
  tx: Tx,
  deps: Deps,
  { booking_id: bookingId, paid_at, reminders, handover_minutes }: Settlement,
): Promise<void> {
  const at = deps.clock.now();
  const handoverMs = handover_minutes * 60_000;
  const waitedMs = at.getTime() - paid_at.getTime();
  if (waitedMs >= handoverMs) {
    const email = settlementEmails.notHandedOver;
    await startRefund(tx, deps, { bookingId, at, actor: null, email });
    return;
  }
  const { due } = await tx
    .selectFrom("settlements")
    .innerJoin("bookings", "bookings.id", "settlements.booking_id")
    .select(dueReminders(at).as("due"))
    .where("bookings.id", "=", bookingId)
    .executeTakeFirstOrThrow();
  if (due <= reminders) return;
  await countReminders(tx, bookingId, due);
  const until = new Date(paid_at.getTime() + handoverMs);
  await notifyParties(tx, deps, { bookingId, email: settlementEmails.handoverDue, until });
}

/** Releases the money, and asks for a missing account. Job `settleDeals` sends the money. */
async function endWindow(
  tx: Tx,
  deps: Deps,
  { booking_id: bookingId, handed_over_at: handedOver, ...agreed }: Settlement,
): Promise<void> {
  const at = deps.clock.now();
  if (!handedOver || complaintUntil(handedOver, agreed) > at) return;
  const by = { at, actor: null, object: "booking", objectId: bookingId } as const;
  await recordAudit(tx, { ...by, verb: "startRelease", detail: {} });
  await decide(tx, deps, { bookingId, toBuyer: 0, actor: null });
  await countReminders(tx, bookingId, 1);
  await askForAccount(tx, deps, bookingId);
}

async function remindOfAccount(
  tx: Tx,
  deps: Deps,
  { booking_id: bookingId, decided_at, reminders }: Settlement,
): Promise<void> {
  if (!decided_at) return;
  const due = remindersAfter(deps.clock.now().getTime() - decided_at.getTime());
  if (due <= reminders) return;
  await countReminders(tx, bookingId, due);
  await askForAccount(tx, deps, bookingId);
}

async function askForAccount(tx: Tx, deps: Deps, bookingId: string): Promise<void> {
  const waiting = await tx
    .selectFrom("settlements")
    .select("seller_id")
    .where("booking_id", "=", bookingId)
    .where("settlements.releasing", "=", true)
    .executeTakeFirst();
  if (!waiting || (await canReceive(tx, waiting.seller_id))) return;
  const cents = (await readDeal(tx, { bookingId })).due();
  const payment = { sellerCents: cents };
  if (cents > 0)
    await notifyParties(tx, deps, { bookingId, email: settlementEmails.accountNeeded, payment });
}

/** Counts due reminders: the first is immediate, then after 1 day, 7 days and every 30 days. */
function remindersAfter(milliseconds: number): number {
  const days = Math.floor(milliseconds / dayMs);
  return 1 + (days >= 1 ? 1 : 0) + (days >= 7 ? 1 : 0) + Math.floor(days / 30);
}

async function countReminders(tx: Tx, bookingId: string, reminders: number): Promise<void> {
  await tx
    .updateTable("settlements")
    .set({ reminders })
    .where("booking_id", "=", bookingId)
    .execute();
}
