import { type Handover, maxWrongHandoverCodes } from "#contract/handover.ts";
import type { Tx } from "../../db/database.ts";
import type { Member } from "../../db/member.ts";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";
import { meetingColumn, toMeeting } from "../booking-lifecycle/meeting-rows.ts";
import { shownState } from "../booking-lifecycle/overdue.ts";

type Reader = Pick<Deps, "clock"> & { db: Tx };

/** A deal of the caller's, as its buyer or seller. Refuses `NOT_FOUND`. */
export async function readHandover(
  { db, clock }: Reader,
  member: Member,
  bookingId: string,
): Promise<Handover> {
  const deal = await db
    .selectFrom("bookings")
    .innerJoin("products", "products.id", "bookings.product_id")
    .innerJoin("members as buyer", "buyer.id", "bookings.buyer_id")
    .innerJoin("members as seller", "seller.id", "products.seller_id")
    .leftJoin("handover_codes as code", "code.booking_id", "bookings.id")
    .leftJoin("complaints", "complaints.booking_id", "bookings.id")
    .select(["complaints.return_by", "complaints.refund_cents", "bookings.price_cents"])
    .select(["bookings.id", "bookings.buyer_id", "bookings.product_id", "products.product_name"])
    .select(["buyer.name as buyer", "seller.name as seller", "code.issued_at", "code.wrong_tries"])
    .select(shownState(clock.now()).as("state"))
    .select(meetingColumn("bookings.id", "bookings.buyer_id").as("meeting"))
    .where("bookings.id", "=", bookingId)
    .where(({ eb, or }) =>
      or([eb("bookings.buyer_id", "=", member.id), eb("products.seller_id", "=", member.id)]),
    )
    .executeTakeFirst();
  if (!deal) throw new AppError("NOT_FOUND", "You have no such deal.");
  const { id, state, product_id, product_name, issued_at, wrong_tries } = deal;
  const isBuyer = deal.buyer_id === member.id;
  return {
    _id: id,
    role: isBuyer ? "buyer" : "seller",
    state,
    refund: refundOf(deal),
    product: { _id: product_id, product_name },
    other: isBuyer ? deal.seller : deal.buyer,
    meeting: toMeeting(deal.meeting),
    code:
      isBuyer && issued_at
        ? { issuedAt: issued_at.toISOString(), locked: wrong_tries === maxWrongHandoverCodes }
        : null,
  };
}

type Decided = { return_by: Date | null; refund_cents: number | null; price_cents: number };

function refundOf({ return_by, refund_cents, price_cents }: Decided): Handover["refund"] {
  if (return_by) return "waits";
  return refund_cents !== null && refund_cents >= price_cents ? "started" : null;
}
