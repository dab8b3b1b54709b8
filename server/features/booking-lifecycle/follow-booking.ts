import type { BookingTransition } from "#contract/life-cycle.ts";
import type { Tx } from "../../db/database.ts";

type Change = { bookingId: string; transition: BookingTransition; at: Date };

/** The money of a booking has a settlement once it is paid, and may be decided about once the laptop is handed over. */
export async function followBooking(tx: Tx, { bookingId, transition, at }: Change): Promise<void> {
  if (transition === "pay" || transition === "reclaim") await openSettlement(tx, bookingId, at);
  if (transition === "complete")
    await tx
      .updateTable("settlements")
      .set({ handed_over_at: at })
      .where("booking_id", "=", bookingId)
      .execute();
}

async function openSettlement(tx: Tx, bookingId: string, at: Date): Promise<void> {
  await tx
    .insertInto("settlements")
    .columns(["booking_id", "seller_id", "paid_at"])
    .expression((from) =>
      from
        .selectFrom("bookings")
        .innerJoin("products", "products.id", "bookings.product_id")
        .select(({ val }) => ["bookings.id", "products.seller_id", val(at).as("paid_at")])
        .where("bookings.id", "=", bookingId),
    )
    .execute();
}
