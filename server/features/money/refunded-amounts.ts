import { type Expression, sql } from "kysely";
import { toDollars } from "#contract/price.ts";
import type { PartRefund } from "#contract/price-schemas.ts";
import type { Tx } from "../../db/database.ts";
import { paymentOf } from "../ledger/post-journal.ts";

/**
 * SQL: the refunded and owed cents of a booking's kept payment, as JSON. Null without such a
 * payment. `failed`: whether the shop gave up on refunding the owed money.
 */
export function partRefundOf(bookingId: Expression<string>) {
  return sql<PartRefund | null>`(
    select json_build_object('refunded', refunded, 'owed', owed, 'failed', owed > 0 and given_up_at is not null)
    from payments paid
    cross join lateral (
      select -coalesce(sum(e.cents) filter (where e.account = 'buyer_payable'), 0) as owed,
        -coalesce(sum(e.cents) filter (where e.account <> 'buyer_payable'
          and j.kind in ('refund', 'refund_failed', 'refund_sent')), 0) as refunded
      from ledger_journals j join ledger_entries e on e.journal_id = j.id
      where j.booking_id = paid.booking_id and e.account in ('stripe_clearing', 'shop_bank', 'buyer_payable')
        and coalesce(${paymentOf("j")}, paid.transaction_id) = paid.transaction_id) as card
    where paid.booking_id = ${bookingId} and paid.state = 'succeeded')`;
}

/** Converts cents to dollars. Returns null if nothing is refunded or owed. */
export function toPartRefund(cents: PartRefund | null): PartRefund | null {
  if (!cents || cents.refunded + cents.owed === 0) return null;
  return { ...cents, refunded: toDollars(cents.refunded), owed: toDollars(cents.owed) };
}

/** SQL on `payments`: the cents that the buyer is owed. */
export const owedCents = sql<string>`(
  select -coalesce(sum(e.cents), 0) from ledger_journals j join ledger_entries e on e.journal_id = j.id
  where j.booking_id = payments.booking_id and e.account = 'buyer_payable'
    and coalesce(${paymentOf("j")}, payments.transaction_id) = payments.transaction_id)`;

/** SQL: the cents of a payment that admins sent the buyer by other means than the card. */
export function sentCentsOf(paymentId: Expression<string | null>) {
  return sql<string>`(
    select coalesce(sum(cents), 0) from money_moves where payment_id = ${paymentId} and kind = 'sent')`;
}

/** SQL: whether the provider has refunded any of a payment to the buyer's card. */
export function toCardOf(paymentId: Expression<string | null>) {
  return sql<boolean>`exists (
    select from money_moves where payment_id = ${paymentId} and kind = 'refund' and state = 'made')`;
}

/** Lowers the seller's earnings in the overviews, never below zero. */
export async function reduceEarned(tx: Tx, bookingId: string, cents: number): Promise<void> {
  if (cents === 0) return;
  const paid = sql`amount_cents + (select discount_cents + credit_cents from bookings where id = booking_id)`;
  await tx
    .updateTable("payments")
    .set({ part_refunded_cents: sql<number>`least(part_refunded_cents + ${cents}, ${paid})` })
    .where("booking_id", "=", bookingId)
    .where("state", "=", "succeeded")
    .execute();
}
