import {
  type BookingTransition,
  bookingTransitions,
  liveBookingStates,
  liveMeetingStates,
  meetingTransitions,
} from "#contract/life-cycle.ts";
import type { Tx } from "../../db/database.ts";
import { recordAudit } from "../../db/record-audit.ts";
import { openReviews } from "../reviews/write-review.ts";
import { returnContribution } from "../rewards/discount-and-credit.ts";
import { recordDealChange } from "./announce-deal-change.ts";
import { endOffers } from "./end-offers.ts";

type Change = { bookingId: string; transition: BookingTransition; at: Date; actor: string | null };

/**
 * Returns false, and changes nothing, if the booking or product isn't in a `from` state of
 * `contract/life-cycle.ts`, or the product is deleted.
 */
export async function applyTransition(
  tx: Tx,
  { bookingId, transition, at, actor }: Change,
): Promise<boolean> {
  const { from, to, product } = bookingTransitions[transition];
  const booking = await tx
    .selectFrom("bookings")
    .innerJoin("products", "products.id", "bookings.product_id")
    .select(["bookings.product_id", "bookings.buyer_id", "products.seller_id"])
    .where("bookings.id", "=", bookingId)
    .where("bookings.state", "in", from)
    .forUpdate("bookings")
    .executeTakeFirst();
  if (!booking) return false;
  const { product_id, buyer_id, seller_id } = booking;
  if (!(await changeSalesStatus(tx, product_id, product))) return false;
  const ended = transition === "cancel" ? { cancelled_by: actor } : {};
  await tx
    .updateTable("bookings")
    .set({ state: to, network: null, ...ended })
    .where("id", "=", bookingId)
    .execute();
  if (product.from === "available") await endOffers(tx, product_id, { at }).execute();
  const settlement = { booking_id: bookingId, seller_id, paid_at: at };
  if (to === "paid") await tx.insertInto("settlements").values(settlement).execute();
  if (to === "completed") {
    await recordHandover(tx, bookingId, at);
    await openReviews(tx, { booking_id: bookingId, buyer_id, seller_id, opened_at: at });
  }
  if (from.some((state) => state === "paid"))
    await tx.deleteFrom("handover_codes").where("booking_id", "=", bookingId).execute();
  if (!liveBookingStates.some((live) => live === to)) {
    await cancelMeetings(tx, bookingId);
    await returnContribution(tx, { bookingId, at });
  }
  await recordDealChange(tx, bookingId);
  await recordAudit(tx, { at, actor, verb: transition, object: "booking", objectId: bookingId });
  return true;
}

type ProductChange = (typeof bookingTransitions)[BookingTransition]["product"];

async function changeSalesStatus(
  tx: Tx,
  id: string,
  { from, to }: ProductChange,
): Promise<boolean> {
  const claimed = await tx
    .updateTable("products")
    .set({ sales_status: to })
    .where("id", "=", id)
    .where("sales_status", "=", from)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  return claimed.numUpdatedRows > 0n;
}

async function cancelMeetings(tx: Tx, bookingId: string): Promise<void> {
  await tx
    .updateTable("meetings")
    .set({ state: meetingTransitions.cancel.to })
    .where("booking_id", "=", bookingId)
    .where("state", "in", liveMeetingStates)
    .execute();
}

async function recordHandover(tx: Tx, bookingId: string, at: Date): Promise<void> {
  await tx
    .updateTable("settlements")
    .set({ handed_over_at: at })
    .where("booking_id", "=", bookingId)
    .execute();
}
