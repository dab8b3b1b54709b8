import { type RawBuilder, sql } from "kysely";
import { type Tx, transact } from "../../db/database.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { notifyParties } from "../deals/notify-parties.ts";
import { readDeal } from "../ledger/post-journal.ts";
import { startRefund } from "./refund-booking.ts";
import { settlementEmails } from "./settlement-emails.ts";
import { decide } from "./split-money.ts";

/** Nothing is due in the first hour after payment or handover, so the query skips newer deals. */
const minWaitMs = 3_600_000;

/**
 * `due`: a refund because of a missed handover, the release at the end of the complaint window, or
 * a reminder of the handover or of the seller's missing account. `reminders`: how many are due.
 */
type Deadline = {
  booking_id: string;
  due: "refund" | "release" | "remindOfHandover" | "remindOfAccount";
  handover_until: Date;
  reminders: number;
};

/**
 * Selects deals with a due deadline or reminder. For a 14-day handover, reminders are due after 7
 * and 12 days. Account reminders are due at once, after 1 day, after 7 days and every 30 days;
 * `askForAccount` skips sellers who have an account.
 */
function selectDeadlines(now: Date, condition: RawBuilder<unknown>) {
  const after = (start: string, minutes: string) =>
    sql`${sql.ref(start)} + ${sql.ref(minutes)} * interval '1 minute'`;
  const handoverUntil = after("paid_at", "handover_minutes");
  const minutes = sql`extract(epoch from ${now}::timestamptz - paid_at) / 60`;
  const days = sql`extract(epoch from ${now}::timestamptz - settlements.decided_at) / 86400`;
  return sql<Deadline>`
    (select booking_id, ${handoverUntil} as handover_until,
      case when handed_over_at is not null then 'release'
        when ${handoverUntil} <= ${now} then 'refund' else 'remindOfHandover' end as due,
      case when handed_over_at is not null then 1 else handover_reminders end as reminders
    from settlements join bookings on bookings.id = booking_id
    cross join lateral (
      select (${minutes} >= handover_minutes / 2.0)::int
        + (${minutes} >= greatest(handover_minutes * 6 / 7.0, handover_minutes - 2 * 24 * 60))::int
        as handover_reminders) as counted
    where ${condition} and payout_held_at is null and settlements.decided_at is null
      and coalesce(handed_over_at, paid_at) <= ${new Date(now.getTime() - minWaitMs)}
      and case when handed_over_at is null
        then ${handoverUntil} <= ${now} or settlements.reminders < handover_reminders
        else ${after("handed_over_at", "complaint_minutes")} <= ${now}
          and not exists (select from complaints where complaints.booking_id = bookings.id) end
    order by coalesce(handed_over_at, paid_at) limit 200)
    union all
    (select booking_id, ${handoverUntil}, 'remindOfAccount', account_reminders
    from settlements join bookings on bookings.id = booking_id
    cross join lateral (
      select 1 + (${days} >= 1)::int + (${days} >= 7)::int + floor(${days} / 30)::int as account_reminders
    ) as counted
    where ${condition} and payout_held_at is null and settlements.releasing
      and settlements.reminders < account_reminders
    order by settlements.decided_at limit 200)`;
}

export async function listDeadlines({ db, clock }: Deps): Promise<string[]> {
  const { rows } = await selectDeadlines(clock.now(), sql`true`).execute(db);
  return rows.map(({ booking_id }) => booking_id);
}

/** Handles a deal's deadline or reminder. Sends one email for all due reminders. */
export async function meetDeadline(deps: Deps, bookingId: string): Promise<void> {
  await transact(deps.db, `meetDeadline ${bookingId}`, async (tx) => {
    await tx
      .selectFrom("bookings")
      .innerJoin("settlements", "settlements.booking_id", "bookings.id")
      .select("bookings.id")
      .where("bookings.id", "=", bookingId)
      .forUpdate()
      .execute();
    const at = deps.clock.now();
    const { rows } = await selectDeadlines(at, sql`bookings.id = ${bookingId}`).execute(tx);
    const [deadline] = rows;
    if (!deadline) return;
    const { due, reminders, handover_until: until } = deadline;
    if (due === "refund") {
      const email = settlementEmails.notHandedOver;
      await startRefund(tx, deps, { bookingId, at, actor: null, email });
      return;
    }
    if (due === "release") await startRelease(tx, deps, bookingId);
    await tx
      .updateTable("settlements")
      .set({ reminders })
      .where("booking_id", "=", bookingId)
      .execute();
    if (due === "remindOfHandover")
      await notifyParties(tx, deps, { bookingId, email: settlementEmails.handoverDue, until });
    else await askForAccount(tx, deps, bookingId);
  });
}

/** Awards the money to the seller. Job `settleDeals` sends it. */
async function startRelease(tx: Tx, deps: Deps, bookingId: string): Promise<void> {
  const by = { at: deps.clock.now(), actor: null, object: "booking", objectId: bookingId } as const;
  await recordAudit(tx, { ...by, verb: "startRelease", detail: {} });
  await decide(tx, deps, { bookingId, toBuyer: 0, actor: null });
}

/** Emails the seller if their account can't receive the money. */
async function askForAccount(tx: Tx, deps: Deps, bookingId: string): Promise<void> {
  const waiting = await tx
    .selectFrom("settlements")
    .select("booking_id")
    .where("booking_id", "=", bookingId)
    .where("settlements.releasing", "=", true)
    .where(sql<boolean>`not exists (
      select from payout_accounts where member_id = seller_id and transfers_active)`)
    .executeTakeFirst();
  if (!waiting) return;
  const sellerCents = (await readDeal(tx, { bookingId })).due();
  const email = settlementEmails.accountNeeded;
  if (sellerCents > 0)
    await notifyParties(tx, deps, { bookingId, email, payment: { sellerCents } });
}
