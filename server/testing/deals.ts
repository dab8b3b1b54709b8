import { findBookingToPay } from "#contract/bookings.ts";
import { transact } from "../db/database.ts";
import { changeDeal } from "../features/ledger/post-journal.ts";
import { decide } from "../features/money/decide.ts";
import { closeDeal } from "../features/money/settlement.ts";
import type { Deal } from "./marketplace.ts";
import type { Shop } from "./shop.ts";

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

/** Keeps the payment intent, which may already be paid. */
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

/** Ends the complaint period, and records a transfer as if the provider had made it. */
export async function payOutWithoutProvider(
  { deps }: Shop,
  { booking: bookingId }: Pick<Deal, "booking">,
): Promise<void> {
  const { shop, clock } = deps;
  await transact(deps.db, "payOutWithoutProvider", async (tx) => {
    await decide(tx, deps, { bookingId, toBuyer: 0, actor: null });
    const at = clock.now();
    await changeDeal(tx, { bookingId, currency: shop.currency, at }, (journals) =>
      journals.transfer({ id: `tr_${bookingId}`, cents: journals.due() }),
    );
    await closeDeal(tx, { bookingId, at, verb: "payOut" });
  });
}
