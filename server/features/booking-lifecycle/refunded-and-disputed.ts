import { type Expression, sql } from "kysely";
import { formatPrice, toDollars } from "#contract/price.ts";
import type { Tx } from "../../db/database.ts";
import { AppError } from "../../errors.ts";
import { paymentOf } from "../ledger/post-journal.ts";

/** SQL: what the buyer's bank has given back of a payment in disputes, in cents. */
export function lostCentsOf(paymentId: Expression<string | null>) {
  return sql<string>`(
    select coalesce(sum(amount_cents), 0) from disputes
    where payment_id = ${paymentId} and state = 'lost'
  )`;
}

/**
 * SQL: what the buyer has back of a row of `payments` by refunds, to their card and in another way, in cents. A booking
 * that was paid twice has another payment.
 */
export const refundedCents = sql<string>`(
  select -coalesce(sum(e.cents), 0) from ledger_journals j join ledger_entries e on e.journal_id = j.id
  where j.booking_id = payments.booking_id and e.account in ('stripe_clearing', 'shop_bank')
    and j.kind in ('refund', 'refund_failed', 'refund_sent')
    and coalesce(${paymentOf("j")}, payments.transaction_id) = payments.transaction_id
)`;

/** What the buyer doesn't have back of a whole payment, neither by refunds nor from their bank, in cents. */
export async function readUnsentCents(tx: Tx, paymentId: string): Promise<number> {
  const { amount_cents, refunded, lost } = await tx
    .selectFrom("payments")
    .select("amount_cents")
    .select(refundedCents.as("refunded"))
    .select(({ ref }) => lostCentsOf(ref("payments.id")).as("lost"))
    .where("id", "=", paymentId)
    .executeTakeFirstOrThrow();
  return Math.max(0, amount_cents - Number(refunded) - Number(lost));
}

/** What the buyer's bank has given back of a payment in disputes, in cents. */
export async function readLostCentsOf(tx: Tx, paymentId: string): Promise<number> {
  const { lost } = await tx
    .selectFrom("payments")
    .select(({ ref }) => lostCentsOf(ref("payments.id")).as("lost"))
    .where("id", "=", paymentId)
    .executeTakeFirstOrThrow();
  return Number(lost);
}

/** What the buyer's bank has given back of a booking's payments in disputes, in cents. */
export async function readLostCents(tx: Tx, bookingId: string): Promise<number> {
  return (await readDisputes(tx, bookingId)).lostCents;
}

/** Like `readLostCents`. Refuses `STALE` while a dispute is open. */
export async function requireDecided(tx: Tx, bookingId: string): Promise<number> {
  const { isOpen, lostCents } = await readDisputes(tx, bookingId);
  if (isOpen) throw new AppError("STALE", disputed);
  return lostCents;
}

const disputed =
  "The buyer has disputed this payment, so their bank decides about the money. Answer the dispute at the card provider.";

async function readDisputes(tx: Tx, bookingId: string) {
  const { open, lost } = await tx
    .selectFrom("disputes")
    .innerJoin("payments", "payments.id", "disputes.payment_id")
    .select(({ fn }) => [
      fn.countAll<string>().filterWhere("disputes.state", "=", "open").as("open"),
      fn
        .sum<string | null>("disputes.amount_cents")
        .filterWhere("disputes.state", "=", "lost")
        .as("lost"),
    ])
    .where("payments.booking_id", "=", bookingId)
    .executeTakeFirstOrThrow();
  return { isOpen: Number(open) > 0, lostCents: Number(lost) };
}

/** What an admin has sent the buyer of a payment in another way, in cents. */
export async function readSentCents(tx: Tx, paymentId: string): Promise<number> {
  const { sent_cents } = await tx
    .selectFrom("payments")
    .select("sent_cents")
    .where("id", "=", paymentId)
    .executeTakeFirstOrThrow();
  return sent_cents;
}

/** The card provider would refund the whole payment or nothing, so the rest is not sent to the card. */
export function restNotToCard({ lostCents = 0, sentCents = 0 }): AppError {
  const paid =
    sentCents > 0
      ? `You have sent ${formatPrice(toDollars(sentCents))} of this payment`
      : `The buyer's bank has given back ${formatPrice(toDollars(lostCents))} of this payment`;
  return new AppError(
    "STALE",
    `${paid}, so the rest can't be refunded to the card. Send it in another way, then press Sent another way.`,
  );
}
