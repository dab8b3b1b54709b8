import { type Expression, sql } from "kysely";
import type { Tx } from "../../db/database.ts";
import { AppError } from "../../errors.ts";

/** SQL: the total of a payment's lost disputes, in cents. */
export function lostCentsOf(paymentId: Expression<string | null>) {
  return sql<string>`(
    select coalesce(sum(amount_cents), 0) from disputes
    where payment_id = ${paymentId} and state = 'lost'
  )`;
}

export const isDisputed = sql<boolean>`exists (
  select from disputes d where d.payment_id = payments.id and d.state = 'open')`;

/** SQL on `bookings`: whether the buyer's bank is deciding about one of its payments. */
export const isBankDeciding = sql<boolean>`exists (
  select from payments where payments.booking_id = bookings.id and ${isDisputed})`;

/**
 * Returns the cents of lost disputes about a booking or, with `paymentId`, about that payment.
 * Throws `STALE` while such a dispute is open.
 */
export async function requireDecided(
  tx: Tx,
  bookingId: string,
  paymentId?: string,
): Promise<number> {
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
    .where((eb) => (paymentId === undefined ? eb.lit(true) : eb("payments.id", "=", paymentId)))
    .executeTakeFirstOrThrow();
  if (Number(open) > 0) throw new AppError("STALE", disputed);
  return Number(lost);
}

const disputed =
  "The buyer has disputed this payment, so their bank decides about the money. Wait for its decision.";
