import { findBookingToPay } from "#contract/bookings.ts";
import type { Deal } from "./marketplace.ts";
import type { Shop } from "./shop.ts";

/** The deal as its buyer sees it. */
export async function readOrder({ booking, buyer }: Deal) {
  return await buyer.call(findBookingToPay, { params: { id: booking } });
}

export async function paymentsFor(shop: Shop, { booking }: Deal) {
  return await shop.deps.db
    .selectFrom("payments")
    .selectAll()
    .where("booking_id", "=", booking)
    .execute();
}

/** Ends an unpaid hold without cancelling its intent, which may be paid by now. */
export async function endHoldWithoutProvider(
  { deps: { db } }: Shop,
  { booking, product }: Deal,
  state: "expired" | "cancelled",
): Promise<void> {
  await db.updateTable("bookings").set({ state }).where("id", "=", booking).execute();
  await db
    .updateTable("products")
    .set({ sales_status: "available" })
    .where("id", "=", product)
    .execute();
}

/** Ends the buyer's time to complain, and the settlement. */
export async function payOutWithoutProvider(
  { deps: { db } }: Shop,
  { booking }: Pick<Deal, "booking">,
): Promise<void> {
  for (const state of ["releasing", "released"] as const)
    await db.updateTable("settlements").set({ state }).where("booking_id", "=", booking).execute();
}
