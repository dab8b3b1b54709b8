import { sql } from "kysely";
import { jsonObjectFrom } from "kysely/helpers/postgres";
import type { DisputeState } from "#contract/life-cycle.ts";
import type { Dispute, Payment } from "#contract/payments.ts";
import { toDollars } from "#contract/price.ts";
import type { Tx } from "../../db/database.ts";
import { newestFirst, type Page, type Paging } from "../../db/pagination.ts";
import { lostCentsOf } from "./dispute-checks.ts";
import { owedCents, partRefundOf, sentCentsOf, toPartRefund } from "./refunded-amounts.ts";

/** Lists payments. `search`: a whole transaction id, or the start of the buyer's email. */
export async function listPayments(
  tx: Tx,
  search: string | undefined,
  paging: Paging,
): Promise<Page<Payment>> {
  const order = { at: "payments.recorded_at", id: "payments.id" } as const;
  const found = search ? await searchPayments(tx, search) : selectPayments(tx);
  return await newestFirst(found, { ...order, ...paging }, toPayment);
}

/** Runs two queries, because one query with `or` couldn't use the indexes. */
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
  "disputes.state",
  "disputes.reason",
  "disputes.amount_cents",
  "disputes.respond_by",
  "disputes.opened_at",
  "disputes.closed_at",
] as const;

/** SQL: the number of refunds that the buyer's bank returned. */
const failedRefunds = sql<number>`(
  select count(*)::int from money_moves
  where payment_id = payments.id and kind = 'refund' and money_moves.state = 'failed')`;

function selectPayments(tx: Tx) {
  return tx
    .selectFrom("payments")
    .innerJoin("bookings", "bookings.id", "payments.booking_id")
    .innerJoin("members as buyer", "buyer.id", "bookings.buyer_id")
    .innerJoin("products", "products.id", "bookings.product_id")
    .select(["payments.id", "payments.transaction_id", "payments.amount_cents", "payments.state"])
    .select(["payments.recorded_at", "payments.refunded_at", "bookings.id as booking_id"])
    .select(["bookings.state as booking_state", "bookings.product_id", "products.product_name"])
    .select(["buyer.name", "buyer.email", failedRefunds.as("failed_refunds")])
    .select(({ selectFrom }) =>
      jsonObjectFrom(
        selectFrom("disputes")
          .select(disputeColumns)
          .whereRef("payment_id", "=", "payments.id")
          .orderBy("opened_at", "desc")
          .limit(1),
      ).as("dispute"),
    )
    .select(({ ref }) => partRefundOf(ref("bookings.id")).as("part_refund"))
    .select(owedCents.as("owed_cents"))
    .select(({ ref }) => [
      lostCentsOf(ref("payments.id")).as("lost_cents"),
      sentCentsOf(ref("payments.id")).as("sent_cents"),
    ]);
}

type Row = Awaited<ReturnType<ReturnType<typeof selectPayments>["executeTakeFirstOrThrow"]>>;

function toPayment(row: Row): Payment {
  const partRefund = row.state === "succeeded" ? toPartRefund(row.part_refund) : null;
  const unsentPart = partRefund?.failed ? partRefund.owed : null;
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
    sent: toDollars(Number(row.sent_cents)),
    partRefund,
    unsentPart,
    unsent: unsentPart ?? toDollars(row.state === "succeeded" ? 0 : Number(row.owed_cents)),
    dispute: row.dispute && toDispute(row.dispute),
  };
}

/** The times are text if the row was read as JSON. */
type DisputeRow = {
  state: DisputeState;
  reason: string;
  amount_cents: number;
  respond_by: Date | string | null;
  opened_at: Date | string;
  closed_at: Date | string | null;
};

export function toDispute(row: DisputeRow): Dispute {
  const { state, reason, amount_cents, respond_by, opened_at, closed_at } = row;
  return {
    state,
    reason,
    amount: toDollars(amount_cents),
    respondBy: respond_by && new Date(respond_by).toISOString(),
    openedAt: new Date(opened_at).toISOString(),
    closedAt: closed_at && new Date(closed_at).toISOString(),
  };
}
