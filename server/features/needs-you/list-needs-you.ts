import { type RawBuilder, sql } from "kysely";
import {
  maxCounted,
  maxNeedsYou,
  type NeedsYou,
  type NeedsYouItem,
  needsYouReasonsFor,
} from "#contract/needs-you.ts";
import { toDollars } from "#contract/price.ts";
import type { StaffRole } from "#contract/roles.ts";
import { readRow, type Tx } from "../../db/database.ts";
import type { Deps } from "../../deps.ts";
import { decidableSince } from "../complaints/complaint-times.ts";
import { isBankDeciding, isDisputed } from "../money/dispute-checks.ts";
import { cameBackCents } from "../money/leftover.ts";
import { isUnclaimed } from "../money/payout-accounts.ts";
import { owedCents } from "../money/refunded-amounts.ts";
import { selectFlagged } from "../reports/flagged-listings.ts";
import { waitsForAdmin } from "../rewards/suspect-invitations.ts";

type Reader = Pick<Deps, "clock" | "config"> & { db: Tx; role: StaffRole | null };

type Row = {
  reason: NeedsYouItem["reason"];
  booking_id: string | null;
  product_name: string | null;
  transaction_id: string | null;
  cents: string;
  since: Date;
  deadline: Date | null;
};

export async function listNeedsYou({ db, role, ...terms }: Reader): Promise<NeedsYouItem[]> {
  const { rows } = await sql<Row>`
    select reason, booking_id, product_name, coalesce(reference, b.intent_id) as transaction_id, cents, since, deadline
    from (${sql.join(sources(terms), sql` union all `)}) as waiting (reason, booking_id, reference, cents, since, deadline)
    left join bookings b on b.id = booking_id left join products on products.id = b.product_id
    where reason = any(${needsYouReasonsFor(role)}::text[])
    order by deadline nulls last, since, booking_id limit ${maxNeedsYou}`.execute(db);
  return rows.map((row) => ({
    reason: row.reason,
    bookingId: row.booking_id,
    product_name: row.product_name,
    transactionId: row.transaction_id,
    amount: toDollars(Number(row.cents)),
    since: row.since.toISOString(),
    deadline: row.deadline?.toISOString() ?? null,
  }));
}

function sources({ clock, config }: Omit<Reader, "db" | "role">): RawBuilder<unknown>[] {
  const now = clock.now();
  const { undecidedMs, providerKeepsMs } = config.settlement;
  const plus = (start: RawBuilder<unknown>, milliseconds: number) =>
    sql`${start} + ${milliseconds} * interval '1 millisecond'`;
  const hourAgo = new Date(now.getTime() - 3_600_000);
  const none = sql`null::timestamptz`;
  return [
    sql`select 'refund_failed', booking_id, transaction_id, ${owedCents}, given_up_at, ${none}
      from payments where owed_since is not null and given_up_at is not null`,
    sql`select 'refund_late', booking_id, transaction_id, ${owedCents}, owed_since, ${none}
      from payments where owed_since <= ${hourAgo} and given_up_at is null and not ${isDisputed}`,
    sql`select case refusal when 'balance_insufficient' then 'balance_too_small' else 'transfer_refused' end,
        settlements.booking_id, null, cents, intended_at, ${none}
      from settlements cross join lateral (
        select * from money_moves t where t.booking_id = settlements.booking_id and t.kind = 'transfer'
        order by attempt desc limit 1) as last
      where settlements.releasing and last.state = 'refused' and refusal <> 'absent'`,
    sql`select 'transferred_twice', booking_id, provider_id, owed, made_at, ${none}
      from money_moves cross join lateral (
        select sum(cents) as owed from ledger_journals j join ledger_entries on journal_id = j.id
        where j.booking_id = money_moves.booking_id and account = 'seller_receivable') as debt
      where round < 0 and owed > 0`,
    sql`select 'unclaimed', booking_id, null,
        (select -sum(cents) from ledger_journals j join ledger_entries on journal_id = j.id
          where j.booking_id = settlements.booking_id and account = 'seller_payable'),
        decided_at, ${plus(sql.ref("paid_at"), providerKeepsMs)}
      from settlements where settlements.releasing and ${isUnclaimed({ clock, config })}`,
    sql`select 'came_back', booking_id, null, cents, since, ${none} from (${cameBackCents}) as left_over`,
    sql`select case d.state when 'inquiry' then 'inquiry' else 'dispute' end,
        booking_id, transaction_id, d.amount_cents, opened_at, respond_by
      from disputes d join payments on payments.id = payment_id where closed_at is null and respond_by is not null`,
    sql`select 'complaint', booking_id, null, price_cents, admins_asked_at,
        case when payout_held_at is null then ${plus(decidableSince, undecidedMs)} end
      from complaints join bookings on bookings.id = booking_id
      where decided_at is null and admins_asked_at is not null and not ${isBankDeciding}`,
    sql`select 'return_late', booking_id, null, price_cents, return_by, ${none}
      from complaints join bookings on bookings.id = booking_id
      where return_by <= ${now} and not ${isBankDeciding}`,
    sql`select 'discount', booking_id, null, price_cents, decided_at, ${none}
      from invitations join settlements on booking_id = discount_booking_id
      join bookings on bookings.id = booking_id
      where invitations.state = 'review' and settlements.releasing`,
    sql`select 'difference', null::uuid, reference, abs(provider_cents - ledger_cents), found_at, ${none}
      from ledger_differences`,
  ];
}

type Queues = Omit<NeedsYou["queues"], "problems" | "firstSteps">;

/** The counts for roles that can't open any of the queues. */
export const emptyQueues: Queues = {
  reports: 0,
  messages: 0,
  reviews: 0,
  listings: 0,
  invitations: 0,
};

/** Counts each queue up to `maxCounted`. */
export async function countQueues(tx: Tx): Promise<Queues> {
  const counts = sql<Queues>`
    select
      ${countOf(sql`select from reports where closed_at is null`)} as reports,
      ${countOf(sql`select from conversation_reports where closed_at is null`)} as messages,
      ${countOf(sql`select from review_reports where closed_at is null`)} as reviews,
      ${countOf(sql`${selectFlagged(tx)}`)} as listings,
      ${countOf(sql`select from invitations where ${waitsForAdmin}`)} as invitations`;
  return await readRow(tx, counts);
}

function countOf(waiting: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select count(*) from (${waiting} limit ${maxCounted}) as waiting)::integer`;
}
