import type { Member } from "../../db/member.ts";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";
import { endHold } from "../money/end-hold.ts";

/** Cancels an unpaid hold for its buyer or seller. Throws `BOOKING_NOT_PAYABLE`, `NOT_FOUND`. */
export async function cancelBooking(deps: Deps, member: Member, bookingId: string): Promise<void> {
  const booking = await deps.db
    .selectFrom("bookings")
    .innerJoin("products", "products.id", "bookings.product_id")
    .select("bookings.id")
    .where("bookings.id", "=", bookingId)
    .where(({ eb, or }) =>
      or([eb("bookings.buyer_id", "=", member.id), eb("products.seller_id", "=", member.id)]),
    )
    .executeTakeFirst();
  if (!booking) throw new AppError("NOT_FOUND", "You have no such booking.");
  const ended = await endHold(deps, { bookingId, transition: "cancel", actor: member.id });
  if (!ended)
    throw new AppError(
      "BOOKING_NOT_PAYABLE",
      "This booking has already been paid for or has ended.",
    );
}
