import { sql } from "kysely";
import type { BookedListing, DealRecord } from "#contract/deal-records.ts";
import { isPaid } from "#contract/life-cycle.ts";
import type { Message } from "#contract/messages.ts";
import { toDollars } from "#contract/price.ts";
import { type Tx, transact } from "../../db/database.ts";
import type { Member } from "../../db/member.ts";
import type { Page, Paging } from "../../db/pagination.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { orNotFound } from "../../errors.ts";
import { meetingColumn, toMeeting } from "../deals/booking-columns.ts";
import { listMessagesOf } from "../messages/conversations.ts";
import { isOpenCase } from "../messages/shown-text.ts";
import { readLeftover } from "../money/leftover.ts";
import { disputeColumns, toDispute } from "../money/list-payments.ts";

export type Reader = Pick<Deps, "clock" | "config"> & { db: Tx };

/** Throws `NOT_FOUND`. */
export async function readDealRecord(
  { db: tx, ...terms }: Reader,
  bookingId: string,
): Promise<DealRecord> {
  const deal = await selectDeal(tx, bookingId).executeTakeFirstOrThrow(
    orNotFound("There is no such deal."),
  );
  const events = await listEvents(tx, bookingId);
  const leftover = await readLeftover(tx, terms, bookingId);
  const completed = events.find(({ verb }) => verb === "complete");
  return {
    _id: bookingId,
    product: { _id: deal.product_id, product_name: deal.product_name },
    state: deal.state,
    price: toDollars(deal.price_cents),
    buyer: { name: deal.buyer_name, email: deal.buyer_email },
    seller: { name: deal.seller_name, email: deal.seller_email },
    bookedAt: deal.booked_at.toISOString(),
    listing: deal.listing as BookedListing | null,
    payment: await readPayment(tx, bookingId),
    providerFee: deal.fee_cents === null ? null : toDollars(deal.fee_cents),
    handover: completed && isPaid(deal.state) ? toHandover(completed, deal.buyer_id) : null,
    meeting: toMeeting(deal.meeting),
    hasComplaint: deal.has_complaint,
    isOpen: deal.is_open,
    disputes: await listDisputes(tx, bookingId),
    leftover: toDollars(leftover.cents),
    leftoverToBuyer: toDollars(leftover.toBuyerCents),
    leftoverWaits: leftover.waits,
    reversals: await listReversals(tx, bookingId),
    events: events.map(({ at, name, verb, object }) => ({
      at: at.toISOString(),
      actor: name,
      verb,
      object,
    })),
  };
}

type Completed = { at: Date; actor_id: string | null };

/** To confirm a handover, the seller needs the buyer's code; the buyer doesn't. */
function toHandover({ at, actor_id }: Completed, buyerId: string): DealRecord["handover"] {
  return { at: at.toISOString(), by: actor_id === buyerId ? "buyer" : "code" };
}

function selectDeal(tx: Tx, bookingId: string) {
  return tx
    .selectFrom("bookings as b")
    .innerJoin("products", "products.id", "b.product_id")
    .innerJoin("members as buyer", "buyer.id", "b.buyer_id")
    .innerJoin("members as seller", "seller.id", "products.seller_id")
    .leftJoin("listing_snapshots", "listing_snapshots.booking_id", "b.id")
    .select(["b.product_id", "products.product_name", "b.state", "b.price_cents", "b.booked_at"])
    .select(["b.buyer_id", "buyer.name as buyer_name", "buyer.email as buyer_email"])
    .select(["seller.name as seller_name", "seller.email as seller_email"])
    .select(["listing_snapshots.listing", meetingColumn("b.id", "b.buyer_id").as("meeting")])
    .select(isOpenCase.as("is_open"))
    .select(
      sql<boolean>`exists (select from complaints where complaints.booking_id = b.id)`.as(
        "has_complaint",
      ),
    )
    .select(
      sql<number | null>`(
        select sum(cents)::int from ledger_journals join ledger_entries on journal_id = id
        where booking_id = b.id and account = 'stripe_fees')`.as("fee_cents"),
    )
    .where("b.id", "=", bookingId);
}

async function readPayment(tx: Tx, bookingId: string): Promise<DealRecord["payment"]> {
  const payment = await tx
    .selectFrom("payments")
    .select(["transaction_id", "recorded_at"])
    .where("booking_id", "=", bookingId)
    .orderBy("recorded_at", "desc")
    .limit(1)
    .executeTakeFirst();
  if (!payment) return null;
  return { transactionId: payment.transaction_id, paidAt: payment.recorded_at.toISOString() };
}

async function listDisputes(tx: Tx, bookingId: string): Promise<DealRecord["disputes"]> {
  const rows = await tx
    .selectFrom("disputes")
    .innerJoin("payments", "payments.id", "disputes.payment_id")
    .leftJoin("dispute_evidence", "dispute_evidence.dispute_id", "disputes.id")
    .select(disputeColumns)
    .select(["disputes.id", "dispute_evidence.submitted_at"])
    .where("payments.booking_id", "=", bookingId)
    .orderBy("disputes.opened_at")
    .execute();
  return rows.map(({ id, submitted_at, ...row }) => ({
    ...toDispute(row),
    _id: id,
    submittedAt: submitted_at?.toISOString() ?? null,
  }));
}

/**
 * Takes completed reversals from the ledger, even those made in the provider's dashboard, and takes
 * pending and refused ones from `money_moves`. `kind::text` keeps PostgreSQL from choosing
 * `ledger_journals_came_back_idx`.
 */
async function listReversals(tx: Tx, bookingId: string): Promise<DealRecord["reversals"]> {
  const { rows } = await sql<{
    at: Date;
    cents: number;
    state: "intended" | "made" | "refused";
    is_own: boolean;
  }>`
    select j.at, (select sum(e.cents)::int from ledger_entries e
      where e.journal_id = j.id and account = 'stripe_clearing') as cents,
      'made' as state, r.id is not null as is_own
    from ledger_journals j
    left join money_moves r on r.provider_id = j.reference
    where j.booking_id = ${bookingId} and j.kind::text = 'transfer_reversal'
    union all
    select intended_at, cents, state::text, true from money_moves
    where booking_id = ${bookingId} and kind = 'reversal' and state <> 'made'
    order by at`.execute(tx);
  return rows.map(({ at, cents, state, is_own }) => ({
    amount: toDollars(cents),
    at: at.toISOString(),
    state: state === "intended" ? "asked" : state,
    by: is_own ? "program" : "dashboard",
  }));
}

async function listEvents(tx: Tx, bookingId: string) {
  const payments = await tx
    .selectFrom("payments")
    .select("id")
    .where("booking_id", "=", bookingId)
    .execute();
  return await tx
    .selectFrom("audit_log")
    .leftJoin("members as actor", "actor.id", "audit_log.actor_id")
    .select(["audit_log.at", "audit_log.verb", "audit_log.object", "audit_log.actor_id"])
    .select("actor.name")
    .where("audit_log.object_id", "in", [bookingId, ...payments.map(({ id }) => id)])
    .orderBy("audit_log.id")
    .limit(500)
    .execute();
}

/** Records the access in the audit log. Throws `NOT_FOUND` without an open case (`isOpenCase`). */
export async function listDealMessages(
  { db, clock }: Deps,
  admin: Member,
  { bookingId, ...paging }: Paging & { bookingId: string },
): Promise<Page<Message>> {
  return await transact(db, "listDealMessages", async (tx) => {
    const deal = await findOpenCase(tx, bookingId);
    if (deal.conversation_id === null) return { items: [], next: undefined };
    const what = { object: "conversation", objectId: deal.conversation_id } as const;
    await recordAudit(tx, { at: clock.now(), actor: admin.id, verb: "read", ...what });
    const reading = { conversationId: deal.conversation_id, reader: null, self: deal.buyer_id };
    return await listMessagesOf(tx, reading, paging);
  });
}

async function findOpenCase(tx: Tx, bookingId: string) {
  return await tx
    .selectFrom("bookings as b")
    .leftJoin("conversations as c", (join) =>
      join.onRef("c.product_id", "=", "b.product_id").onRef("c.buyer_id", "=", "b.buyer_id"),
    )
    .select(["b.buyer_id", "c.id as conversation_id"])
    .where("b.id", "=", bookingId)
    .where(isOpenCase)
    .executeTakeFirstOrThrow(
      orNotFound(
        "Messages of a deal can be read only while a complaint or dispute about it is open.",
      ),
    );
}
