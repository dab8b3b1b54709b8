import { bookProduct, findBookingToPay } from "#contract/bookings.ts";
import { createPaymentIntent, recordPayment } from "#contract/payments.ts";
import { type Person, sell } from "./people.ts";
import type { Shop } from "./shop.ts";

/** A laptop held by a buyer who is about to pay. */
export type Deal = { buyer: Person; product: string; booking: string; intent: string };

/** Holds a product, by default a new one, and creates its payment intent. */
export async function openDeal(
  shop: Shop,
  { seller, buyer, product }: { seller: Person; buyer: Person; product?: string },
): Promise<Deal> {
  const _id = product ?? (await sell(shop, seller));
  const order = { price: 640, phone: "5550123", location: "Station", bookingProduct: { _id } };
  const booking = (await buyer.call(bookProduct, { body: order })).insertedId;
  const body = { price: 640, bookingId: booking };
  const { clientSecret } = await buyer.call(createPaymentIntent, { body });
  return { buyer, product: _id, booking, intent: clientSecret.split("_secret_")[0] ?? "" };
}

/** Sends the call the buyer's browser makes after paying; `by` another person if given. */
export function sendRecordPayment({ booking, intent, product, buyer }: Deal, by = buyer) {
  const body = {
    price: 640,
    transactionId: intent,
    email: by.email,
    bookingId: booking,
    productId: product,
  };
  return by.send(recordPayment, { body });
}

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
