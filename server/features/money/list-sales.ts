import { sql } from "kysely";
import { feeOf } from "#contract/fee.ts";
import {
  maxStatementSales,
  type Payout,
  type PayoutAccount,
  type Sale,
} from "#contract/payouts.ts";
import { toDollars } from "#contract/price.ts";
import type { Tx } from "../../db/database.ts";
import type { Member } from "../../db/member.ts";
import { newestFirst, type Page, type Paging } from "../../db/pagination.ts";
import { complaintUntil } from "../complaints/complaint-times.ts";
import { agreedFee } from "../deals/fee-times-and-promo.ts";
import { isSecondPayment } from "../ledger/post-journal.ts";
import { mayBePaidOut } from "./discounts-in-review.ts";
import { partRefundOf, toPartRefund } from "./refunded-amounts.ts";
import { settlementState } from "./settlement.ts";

export async function listSales(
  tx: Tx,
  seller: Pick<Member, "id">,
  paging: Paging,
): Promise<Page<Sale>> {
  const order = { at: "settlements.paid_at", id: "settlements.booking_id" } as const;
  return await newestFirst(selectSales(tx, seller.id), { ...order, ...paging }, toSale);
}

/** Lists up to `maxStatementSales` sales that were paid in a UTC year, oldest first. */
export async function readStatement(tx: Tx, seller: Member, year: number): Promise<Sale[]> {
  const rows = await selectSales(tx, seller.id)
    .where("settlements.paid_at", ">=", new Date(Date.UTC(year, 0)))
    .where("settlements.paid_at", "<", new Date(Date.UTC(year + 1, 0)))
    .orderBy("settlements.paid_at")
    .orderBy("settlements.booking_id")
    .limit(maxStatementSales)
    .execute();
  return rows.map(toSale);
}

/** Lists the UTC years with a sale, newest first. */
export async function listStatementYears(tx: Tx, seller: Member): Promise<number[]> {
  const rows = await tx
    .selectFrom("settlements")
    .select(sql<number>`extract(year from paid_at at time zone 'utc')::int`.as("year"))
    .distinct()
    .where("seller_id", "=", seller.id)
    .orderBy("year", "desc")
    .execute();
  return rows.map(({ year }) => year);
}

function selectSales(tx: Tx, sellerId: string) {
  return tx
    .selectFrom("settlements")
    .innerJoin("bookings", "bookings.id", "settlements.booking_id")
    .innerJoin("products", "products.id", "bookings.product_id")
    .leftJoin("complaints", "complaints.booking_id", "settlements.booking_id")
    .leftJoinLateral(
      sql<Money>`(
        select coalesce(-sum(cents) filter (where account = 'fee_revenue'), 0)::int as fee_cents,
          coalesce(-sum(cents) filter (where account in ('stripe_clearing', 'shop_bank')
            and kind in ('refund', 'refund_failed', 'refund_sent') and not ${isSecondPayment}), 0)::int as refunded_cents,
          coalesce(-sum(cents) filter (where account = 'stripe_clearing'
            and kind in ('transfer', 'transfer_reversal')), 0)::int as sent_cents,
          coalesce(-sum(cents) filter (where account = 'stripe_clearing' and kind = 'set_off' and cents < 0), 0)::int as kept_cents,
          coalesce(-sum(cents) filter (where account in ('credits', 'marketing')
            and kind in ('credit_returned', 'discount_returned')), 0)::int as returned_cents
        from ledger_journals join ledger_entries on journal_id = ledger_journals.id
        where ledger_journals.booking_id = settlements.booking_id)`.as("money"),
      (join) => join.onTrue(),
    )
    .select(["settlements.booking_id", "settlements.paid_at", "settlements.handed_over_at"])
    .select([settlementState.as("state"), "settlements.decided_at", "complaints.return_by"])
    .select(({ selectFrom }) =>
      selectFrom("money_moves")
        .select(({ fn }) => fn.max("made_at").as("made_at"))
        .whereRef("money_moves.booking_id", "=", "settlements.booking_id")
        .where("money_moves.kind", "=", "transfer")
        .as("made_at"),
    )
    .select(["bookings.price_cents", "bookings.payout_held_at", "bookings.complaint_minutes"])
    .select(agreedFee)
    .select(({ ref }) => partRefundOf(ref("settlements.booking_id")).as("part_refund"))
    .select(["products.id as product_id", "products.product_name"])
    .select([
      "money.returned_cents",
      lostCents.as("lost_cents"),
      sql<boolean>`not ${mayBePaidOut}`.as("in_review"),
    ])
    .select(["money.fee_cents", "money.refunded_cents", "money.sent_cents", "money.kept_cents"])
    .where("settlements.seller_id", "=", sellerId);
}

const lostCents = sql<number>`(
  select coalesce(sum(d.amount_cents), 0)::int from disputes d join payments p on p.id = d.payment_id
  where p.booking_id = settlements.booking_id and d.state = 'lost')`;

type Money = {
  returned_cents: number;
  fee_cents: number;
  refunded_cents: number;
  sent_cents: number;
  kept_cents: number;
};
type SaleRow = Awaited<ReturnType<ReturnType<typeof selectSales>["executeTakeFirstOrThrow"]>>;

function toSale(row: SaleRow): Sale {
  const { handed_over_at: handedOver } = row;
  return {
    _id: row.booking_id,
    product: { _id: row.product_id, product_name: row.product_name },
    price: toDollars(row.price_cents),
    fee: toDollars(feeCents(row)),
    refunded: toDollars(refundedCents(row)),
    partRefund: toPartRefund(row.part_refund),
    returned: toDollars(row.returned_cents ?? 0),
    sent: toDollars(row.sent_cents ?? 0),
    keptForDebt: toDollars(row.kept_cents ?? 0),
    state: row.state,
    disputed: row.payout_held_at !== null,
    lost: toDollars(row.lost_cents),
    inReview: row.in_review,
    returnBy: row.return_by?.toISOString() ?? null,
    paidAt: row.paid_at.toISOString(),
    handedOverAt: handedOver?.toISOString() ?? null,
    releaseAt: handedOver && complaintUntil(handedOver, row).toISOString(),
    sentAt: row.made_at?.toISOString() ?? null,
  };
}

/** The fee in cents; an estimate until the deal is decided. */
function feeCents(row: SaleRow): number {
  const { decided_at, price_cents, fee } = row;
  if (decided_at !== null) return row.fee_cents ?? 0;
  const back = refundedCents(row) + (row.returned_cents ?? 0) + row.lost_cents;
  return feeOf(Math.max(0, price_cents - back), fee);
}

/** The cents refunded to the buyer. Refunds of a second payment don't count. */
function refundedCents({ part_refund, refunded_cents }: SaleRow): number {
  return part_refund?.refunded ?? refunded_cents ?? 0;
}

export async function readPayoutAccount(tx: Tx, seller: Member): Promise<PayoutAccount> {
  const account = await tx
    .selectFrom("payout_accounts")
    .select(["transfers_active", "payouts_active"])
    .where("member_id", "=", seller.id)
    .executeTakeFirst();
  const { rows } = await sql<{ cents: string }>`
    select coalesce(-sum(cents), 0) as cents
    from settlements
    join bookings on bookings.id = settlements.booking_id
    join ledger_journals on ledger_journals.booking_id = bookings.id
    join ledger_entries on journal_id = ledger_journals.id and account = 'seller_payable'
    where seller_id = ${seller.id} and settlements.releasing
      and payout_held_at is null and ${mayBePaidOut}`.execute(tx);
  return {
    connected: account !== undefined,
    canReceive: account?.transfers_active ?? false,
    canPayOut: account?.payouts_active ?? false,
    waiting: toDollars(Number(rows[0]?.cents ?? 0)),
  };
}

export async function listPayouts(
  tx: Tx,
  seller: Pick<Member, "id">,
  limit = 50,
): Promise<Payout[]> {
  const rows = await tx
    .selectFrom("payouts")
    .select(["id", "cents", "state", "arrives_at"])
    .where("member_id", "=", seller.id)
    .orderBy("created_at", "desc")
    .limit(limit)
    .execute();
  return rows.map(({ id, cents, state, arrives_at }) => ({
    _id: id,
    amount: toDollars(Number(cents)),
    state,
    arrivesAt: arrives_at.toISOString(),
  }));
}
