import type { BookingState } from "#contract/life-cycle.ts";
import { reviewableStates, reviewDays } from "#contract/reviews.ts";
import type { Tx } from "../../db/database.ts";

export const dayMs = 24 * 3_600_000;

/** When a side is asked for its missing review, in days after the handover. */
export const invitedOnDays = [1, 10];

/**
 * Lets both sides review a booking after the booking reaches one of `reviewableStates`. A repeated
 * call changes nothing.
 */
export async function openReviews(
  tx: Tx,
  { bookingId, to, at }: { bookingId: string; to: BookingState; at: Date },
): Promise<void> {
  if (!reviewableStates.some((state) => state === to)) return;
  const { buyer_id, seller_id } = await tx
    .selectFrom("bookings")
    .innerJoin("products", "products.id", "bookings.product_id")
    .select(["bookings.buyer_id", "products.seller_id"])
    .where("bookings.id", "=", bookingId)
    .executeTakeFirstOrThrow();
  await tx
    .insertInto("review_windows")
    .values({
      booking_id: bookingId,
      buyer_id,
      seller_id,
      opened_at: at,
      closes_at: new Date(at.getTime() + reviewDays * dayMs),
      next_step_at: new Date(at.getTime() + (invitedOnDays[0] ?? reviewDays) * dayMs),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
