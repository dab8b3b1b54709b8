import { sql } from "kysely";
import type { Booking } from "#contract/bookings.ts";
import {
  type DisputeState,
  isPaid,
  liveBookingStates,
  refundStates,
} from "#contract/life-cycle.ts";
import { toDollars } from "#contract/price.ts";
import type { Tx } from "../../db/database.ts";
import type { Member } from "../../db/member.ts";
import { newestFirst, type Page, type Paging } from "../../db/pagination.ts";
import type { Deps } from "../../deps.ts";
import { orNotFound } from "../../errors.ts";
import { complaintUntil } from "../complaints/complaint-times.ts";
import { isBlocked } from "../messages/block-member.ts";
import { lostCentsOf } from "../money/dispute-checks.ts";
import { partRefundOf, sentCentsOf, toCardOf, toPartRefund } from "../money/refunded-amounts.ts";
import { selectProducts, toProduct, toProductWithContact } from "../products/product-rows.ts";
import { serialEndColumn } from "../products/serial-numbers.ts";
import { mayReviewColumn } from "../reviews/rating.ts";
import { readReduction } from "../rewards/discount-and-credit.ts";
import { meetingColumn, shownState, toMeeting } from "./booking-columns.ts";
import { agreedPromo } from "./fee-times-and-promo.ts";
import { isContactAfterPayment, showsContact } from "./seller-contact.ts";

type Reader = Pick<Deps, "clock" | "config"> & { db: Tx };

export async function listBookings(
  { db, ...known }: Reader,
  email: string,
  paging: Paging,
): Promise<Page<Booking>> {
  const query = selectBookings(db, known.clock.now())
    .where("buyer.email", "=", email)
    .where("buyer.deleted_at", "is", null);
  const order = { at: "bookings.booked_at", id: "bookings.id" } as const;
  return await newestFirst(query, { ...order, ...paging }, (row) => toBooking(known, row));
}

/** Shows the current discount and credit until the amount due is fixed. Throws `NOT_FOUND`. */
export async function findBooking(
  { db, ...known }: Reader,
  buyer: Member,
  id: string,
): Promise<Booking> {
  const row = await selectBookings(db, known.clock.now())
    .where("bookings.id", "=", id)
    .where("bookings.buyer_id", "=", buyer.id)
    .executeTakeFirstOrThrow(orNotFound("You have no such booking."));
  if (row.state !== "held" || row.discount_cents > 0) return toBooking(known, row);
  const purchase = { ...row, id: row.booking_id };
  const { noDiscount, creditLimited, ...reduction } = await readReduction(db, known, purchase);
  if (row.amount_fixed_at !== null) return { ...toBooking(known, row), noDiscount };
  const { discountCents: discount_cents, creditCents: credit_cents } = reduction;
  const booking = toBooking(known, { ...row, discount_cents, credit_cents });
  return { ...booking, noDiscount, creditLimited };
}

function selectBookings(tx: Tx, now: Date) {
  return selectProducts(tx)
    .innerJoin("bookings", "bookings.product_id", "products.id")
    .innerJoin("members as buyer", "buyer.id", "bookings.buyer_id")
    .leftJoin("payments", (join) =>
      join.onRef("payments.booking_id", "=", "bookings.id").on("payments.state", "=", "succeeded"),
    )
    .leftJoin("payments as refunds", (join) =>
      join.onRef("refunds.booking_id", "=", "bookings.id").on("refunds.state", "in", refundStates),
    )
    .leftJoin("settlements as window", (join) =>
      join.onRef("window.booking_id", "=", "bookings.id").on("window.decided_at", "is", null),
    )
    .leftJoin("complaints", "complaints.booking_id", "bookings.id")
    .select(["window.handed_over_at as window_since", "complaints.opened_at as complained_at"])
    .select(["complaints.return_by", "complaints.decided_at as complaint_decided_at"])
    .select(["bookings.id as booking_id", "bookings.price_cents", "bookings.phone"])
    .select(["bookings.discount_cents", "bookings.credit_cents", agreedPromo])
    .select("bookings.complaint_minutes")
    .select(["bookings.amount_fixed_at", "bookings.intent_id"])
    .select(["bookings.contact_shown", serialEndColumn])
    .select(isBlocked(sql.ref("bookings.buyer_id"), sql.ref("products.seller_id")).as("blocked"))
    .select(mayReviewColumn("bookings.id", "bookings.buyer_id", now).as("may_review"))
    .select(["bookings.cancelled_by", "bookings.buyer_id", "products.seller_id"])
    .select(shownState(now).as("state"))
    .select(meetingColumn("bookings.id", "bookings.buyer_id").as("meeting"))
    .select(["bookings.location as meeting_location", "bookings.booked_at", "bookings.held_until"])
    .select(["buyer.name as buyer_name", "buyer.email as buyer_email", "payments.transaction_id"])
    .select("payments.recorded_at as paid_at")
    .select(["refunds.state as refund_state", "refunds.amount_cents as refund_cents"])
    .select("refunds.refunded_at")
    .select(({ ref }) => [
      sentCentsOf(ref("refunds.id")).as("sent_cents"),
      toCardOf(ref("refunds.id")).as("to_card"),
    ])
    .select(lastDispute.as("dispute"))
    .select(({ ref }) => partRefundOf(ref("bookings.id")).as("part_refund"))
    .select((refund) => lostCentsOf(refund.ref("refunds.id")).as("lost_cents"));
}

const lastDispute = sql<DisputeState | null>`(
  select state from disputes where payment_id = refunds.id order by opened_at desc limit 1)`;

type BookingRow = Awaited<ReturnType<ReturnType<typeof selectBookings>["executeTakeFirstOrThrow"]>>;

function toBooking(known: Omit<Reader, "db">, row: BookingRow): Booking {
  const live = liveBookingStates.some((state) => state === row.state);
  return {
    _id: row.booking_id,
    name: row.buyer_name,
    email: row.buyer_email,
    price: toDollars(row.price_cents),
    discount: toDollars(row.discount_cents),
    credit: toDollars(row.credit_cents),
    noDiscount: null,
    creditLimited: false,
    amountDue: toDollars(row.price_cents - row.discount_cents - row.credit_cents),
    phone: row.phone,
    location: row.meeting_location,
    paid: isPaid(row.state),
    state: row.state,
    cancelledBy: toCancelledBy(row),
    bookedAt: row.booked_at.toISOString(),
    heldUntil: row.held_until.toISOString(),
    transactionId: row.transaction_id,
    paidAt: row.paid_at?.toISOString() ?? null,
    refund: toRefund(row),
    partRefund: toPartRefund(row.part_refund),
    contactAfterPayment: isContactAfterPayment(row),
    complaintHours: row.complaint_minutes / 60,
    complaintUntil: toComplaintUntil(known, row),
    hasComplaint: row.complained_at !== null,
    hasOpenComplaint: row.complained_at !== null && row.complaint_decided_at === null,
    returnBy: row.return_by?.toISOString() ?? null,
    mayReview: row.may_review,
    meeting: live ? toMeeting(row.meeting) : null,
    serialEnd: isPaid(row.state) ? row.serial_end : null,
    bookingProduct: showsContact(row) ? toProductWithContact(row) : toProduct(row),
  };
}

function toComplaintUntil({ clock }: Omit<Reader, "db">, row: BookingRow): string | null {
  if (row.window_since === null || row.complained_at !== null) return null;
  const until = complaintUntil(row.window_since, row);
  return until > clock.now() ? until.toISOString() : null;
}

function toCancelledBy(row: BookingRow): Booking["cancelledBy"] {
  const { state, cancelled_by, buyer_id, seller_id } = row;
  if (state !== "cancelled" || cancelled_by === null) return null;
  if (cancelled_by === buyer_id) return "buyer";
  return cancelled_by === seller_id ? "seller" : "shop";
}

function toRefund(row: BookingRow): Booking["refund"] {
  const { refund_state, refund_cents, refunded_at, to_card, sent_cents, dispute } = row;
  const fromBank = toDollars(Number(row.lost_cents));
  if (refund_cents === null || refund_state === null || refund_state === "succeeded") return null;
  const refundedAt = refunded_at?.toISOString() ?? null;
  const toCard = refunded_at === null || to_card;
  const amount = toDollars(refund_cents);
  const sent = toDollars(Number(sent_cents));
  return { state: refund_state, amount, refundedAt, toCard, fromBank, sent, dispute };
}
