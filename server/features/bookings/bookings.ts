import { transact } from "../../db/database.ts";
import type { Member } from "../../db/member.ts";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";
import { endHold } from "../booking-lifecycle/hold-expiry.ts";
import { applyTransition } from "../booking-lifecycle/transition.ts";

/** Cancels an unpaid hold for its buyer or seller. Refuses `BOOKING_NOT_PAYABLE`, `NOT_FOUND`. */
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

/** Records the buyer's confirmation of the handover. Refuses `STALE` unless the booking is paid, and `NOT_FOUND`. */
export async function confirmHandover(deps: Deps, buyer: Member, bookingId: string): Promise<void> {
  await transact(deps.db, "confirmHandover", async (tx) => {
    const booking = await tx
      .selectFrom("bookings")
      .select("id")
      .where("id", "=", bookingId)
      .where("buyer_id", "=", buyer.id)
      .executeTakeFirst();
    if (!booking) throw new AppError("NOT_FOUND", "You have no such booking.");
    const move = {
      bookingId,
      transition: "complete",
      at: deps.clock.now(),
      actor: buyer.id,
    } as const;
    if (await applyTransition(tx, move)) return;
    throw new AppError("STALE", "You can confirm a handover once, after the laptop is paid for.");
  });
}
