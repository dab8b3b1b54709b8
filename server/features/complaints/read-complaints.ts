import { type RawBuilder, sql } from "kysely";
import type { Complaint } from "#contract/complaints.ts";
import { feeOf } from "#contract/fee.ts";
import { toDollars } from "#contract/price.ts";
import { mayAct } from "#contract/roles.ts";
import type { Tx } from "../../db/database.ts";
import type { Member } from "../../db/member.ts";
import { newestFirst, type Page, type Paging } from "../../db/pagination.ts";
import type { Deps } from "../../deps.ts";
import { orNotFound } from "../../errors.ts";
import { agreedFee } from "../deals/fee-times-and-promo.ts";
import { photosWhere } from "../images/attach-photos.ts";
import { settlementState } from "../money/settlement.ts";
import { complaintTimes, decidableSince } from "./complaint-times.ts";

type Reader = Pick<Deps, "config"> & { db: Tx };
type Terms = Reader["config"]["settlement"];

/** Throws `NOT_FOUND` unless the member is buyer, seller or an admin with access to deals. */
export async function readComplaint(
  { db, config }: Reader,
  member: Member,
  bookingId: string,
): Promise<Complaint> {
  const row = await selectComplaints(db)
    .where("complaints.booking_id", "=", bookingId)
    .$if(!mayAct(member.staffRole, "deals"), (query) =>
      query.where(({ or, eb }) =>
        or([eb("bookings.buyer_id", "=", member.id), eb("settlements.seller_id", "=", member.id)]),
      ),
    )
    .executeTakeFirstOrThrow(orNotFound("There is no such complaint."));
  return toComplaint(row, config.settlement, roleOf(row, member.id));
}

function roleOf(row: Row, memberId: string): Complaint["role"] {
  if (row.buyer_id === memberId) return "buyer";
  return row.seller_id === memberId ? "seller" : "admin";
}

/** Lists undecided complaints, newest first. */
export async function listComplaints(
  { db, config }: Reader,
  paging: Paging,
): Promise<Page<Complaint>> {
  const order = { at: "complaints.opened_at", id: "complaints.booking_id" } as const;
  const open = selectComplaints(db).where("complaints.decided_at", "is", null);
  return await newestFirst(open, { ...order, ...paging }, (row) =>
    toComplaint(row, config.settlement),
  );
}

export async function listComplaintsOf({ db, config }: Reader, memberId: string) {
  const bought = selectComplaints(db).where("bookings.buyer_id", "=", memberId);
  const sold = selectComplaints(db).where("settlements.seller_id", "=", memberId);
  const rows = [...(await bought.execute()), ...(await sold.execute())];
  return rows.map((row) => {
    const { _id, reason, words, openedAt, answer } = toComplaint(row, config.settlement);
    return { _id, reason, words, openedAt, answer };
  });
}

function selectComplaints(tx: Tx) {
  return tx
    .selectFrom("complaints")
    .innerJoin("settlements", "settlements.booking_id", "complaints.booking_id")
    .innerJoin("bookings", "bookings.id", "complaints.booking_id")
    .innerJoin("products", "products.id", "bookings.product_id")
    .innerJoin("members as buyer", "buyer.id", "bookings.buyer_id")
    .innerJoin("members as seller", "seller.id", "settlements.seller_id")
    .selectAll("complaints")
    .select(decidableSince.as("decidable_since"))
    .select([settlementState.as("state"), "bookings.price_cents", "products.id as product_id"])
    .select(["bookings.buyer_id", "settlements.seller_id", "bookings.payout_held_at", agreedFee])
    .select(["products.product_name", "buyer.name as buyer_name", "seller.name as seller_name"])
    .select(photosBy(sql`bookings.buyer_id`).as("buyer_photos"))
    .select(photosBy(sql`settlements.seller_id`).as("seller_photos"));
}

function photosBy(memberId: RawBuilder<string>) {
  return photosWhere(
    sql`photo.complaint_id = complaints.booking_id and photo.member_id = ${memberId}`,
  );
}

type Row = Awaited<ReturnType<ReturnType<typeof selectComplaints>["executeTakeFirstOrThrow"]>>;

function toComplaint(row: Row, terms: Terms, role: Complaint["role"] = "admin"): Complaint {
  const { adminsFrom, decideBy, refundAt } = complaintTimes(row, terms);
  const { answer, answered_at, offered_cents, decided_at, refund_cents } = row;
  return {
    _id: row.booking_id,
    product: { _id: row.product_id, product_name: row.product_name },
    price: toDollars(row.price_cents),
    fee: toDollars(feeOf(row.price_cents, row.fee)),
    buyer: row.buyer_name,
    seller: row.seller_name,
    role,
    reason: row.reason,
    words: row.words,
    openedAt: row.opened_at.toISOString(),
    photos: row.buyer_photos,
    answer:
      answer === null || answered_at === null
        ? null
        : {
            answer,
            words: row.answer_words ?? "",
            answeredAt: answered_at.toISOString(),
            offer: offered_cents === null ? null : toDollars(offered_cents),
            photos: row.seller_photos,
          },
    answerBy: adminsFrom.toISOString(),
    adminsDecide: row.admins_asked_at !== null,
    decideBy: decideBy.toISOString(),
    refundAt: refundAt.toISOString(),
    waitsForBank: row.payout_held_at !== null,
    decision:
      decided_at === null || refund_cents === null
        ? null
        : {
            refund: toDollars(refund_cents),
            words: row.decision_words ?? "",
            byAdmin: row.decided_by !== null,
            decidedAt: decided_at.toISOString(),
            returnBy: row.return_by?.toISOString() ?? null,
          },
    settlement: row.state,
  };
}
