import { sql } from "kysely";
import { jsonObjectFrom } from "kysely/helpers/postgres";
import type { Dispute, Payment } from "#contract/payments.ts";
import { toDollars } from "#contract/price.ts";
import type { Tx } from "../../db/database.ts";
import { newestFirst, type Page, type Paging } from "../../db/pagination.ts";
import { lostCentsOf, refundedCents } from "../booking-lifecycle/refunded-and-disputed.ts";
import { paymentOf } from "../ledger/post-journal.ts";

/** Payments, newest first. `search`: a whole transaction id, or the start of the buyer's email. */
export async function listPayments(
  tx: Tx,
  search: string | undefined,
  paging: Paging,
): Promise<Page<Payment>> {
  const order = { at: "payments.recorded_at", id: "payments.id" } as const;
  const found = search ? await searchPayments(tx, search) : selectPayments(tx);
  return await newestFirst(found, { ...order, ...paging }, toPayment);
}

/** Two queries, because one with `or` could use no index. */
async function searchPayments(tx: Tx, search: string) {
  const known = await tx
    .selectFrom("payments")
    .select("id")
    .where("transaction_id", "=", search)
    .executeTakeFirst();
  if (known) return selectPayments(tx).where("payments.id", "=", known.id);
  return selectPayments(tx).where(({ fn, val }) =>
    fn<boolean>("starts_with", ["buyer.email", val(search.toLowerCase())]),
  );
}

export const disputeColumns = [
  ...(["disputes.state", "disputes.reason", "disputes.amount_cents"] as const),
  ...(["disputes.respond_by", "disputes.opened_at", "disputes.closed_at"] as const),
] as const;

/** Of a part that was given up, what the buyer doesn't have yet (`owedToBuyer`). */
export const unsentCents = sql<number | null>`(
  select case when return_cents is null then r.cents
    else greatest(0, least(return_cents - covered, charged - lost) - refunded) end::int
  from partial_refunds r join settlements s using (booking_id)
  cross join lateral (
    select coalesce(sum(e.cents) filter (where j.kind = 'charge'), 0) as charged,
      -coalesce(sum(e.cents) filter (where j.kind in ('refund', 'refund_failed', 'refund_sent')), 0) as refunded
    from ledger_journals j join ledger_entries e on e.journal_id = j.id
    where j.booking_id = r.booking_id and e.account in ('stripe_clearing', 'shop_bank')
      and coalesce(${paymentOf("j")}, payments.transaction_id) = payments.transaction_id) as card
  cross join lateral (
    select coalesce(sum(cents), 0) as lost, coalesce(sum(least(cents, covers_cents)), 0) as covered
    from disputes d cross join lateral (
      select -coalesce(sum(e.cents), 0) as cents from ledger_journals j join ledger_entries e on e.journal_id = j.id
      where j.booking_id = r.booking_id and j.reference = d.id and e.account = 'stripe_clearing'
        and j.kind in ('dispute_withdrawn', 'dispute_reinstated')) as taken
    where d.payment_id = payments.id and d.state = 'lost') as bank
  where r.booking_id = payments.booking_id and r.given_up_at is not null and payments.state = 'succeeded' limit 1)`;

function selectPayments(tx: Tx) {
  return tx
    .selectFrom("payments")
    .innerJoin("bookings", "bookings.id", "payments.booking_id")
    .innerJoin("members as buyer", "buyer.id", "bookings.buyer_id")
    .innerJoin("products", "products.id", "bookings.product_id")
    .select(["payments.id", "payments.transaction_id", "payments.amount_cents", "payments.state"])
    .select(["payments.recorded_at", "payments.refunded_at", "bookings.id as booking_id"])
    .select(["bookings.state as booking_state", "bookings.product_id", "products.product_name"])
    .select(["buyer.name", "buyer.email", "payments.failed_refunds", "payments.sent_cents"])
    .select(({ selectFrom }) =>
      jsonObjectFrom(
        selectFrom("disputes")
          .select(disputeColumns)
          .whereRef("payment_id", "=", "payments.id")
          .orderBy("opened_at", "desc")
          .limit(1),
      ).as("dispute"),
    )
    .select(unsentCents.as("unsent_cents"))
    .select(refundedCents.as("refunded_cents"))
    .select(({ ref }) => lostCentsOf(ref("payments.id")).as("lost_cents"));
}

type Row = Awaited<ReturnType<ReturnType<typeof selectPayments>["executeTakeFirstOrThrow"]>>;

function toPayment(row: Row): Payment {
  const rest = row.amount_cents - Number(row.lost_cents) - Number(row.refunded_cents);
  return {
    _id: row.id,
    price: toDollars(row.amount_cents),
    transactionId: row.transaction_id,
    name: row.name,
    email: row.email,
    bookingId: row.booking_id,
    productId: row.product_id,
    product_name: row.product_name,
    state: row.state,
    bookingState: row.booking_state,
    recordedAt: row.recorded_at.toISOString(),
    refundedAt: row.refunded_at?.toISOString() ?? null,
    failedRefunds: row.failed_refunds,
    fromBank: toDollars(Number(row.lost_cents)),
    sent: toDollars(row.sent_cents),
    unsent: toDollars(row.unsent_cents ?? Math.max(0, rest)),
    unsentPart: row.unsent_cents === null ? null : toDollars(row.unsent_cents),
    dispute: row.dispute && toDispute(row.dispute),
  };
}

/** Disputes are selected as JSON. */
export function toDispute(row: NonNullable<Row["dispute"]>): Dispute {
  const { state, reason, amount_cents, respond_by, opened_at, closed_at } = row;
  return {
    ...{ state, reason, amount: toDollars(amount_cents) },
    respondBy: isoTime(respond_by),
    openedAt: new Date(opened_at).toISOString(),
    closedAt: isoTime(closed_at),
  };
}

/** A time in JSON has PostgreSQL's format. */
function isoTime(time: string | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}
