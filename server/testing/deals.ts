import { bookProduct } from "#contract/bookings.ts";
import { createPaymentIntent, recordPayment } from "#contract/payments.ts";
import { type Person, sell } from "./people.ts";
import type { Shop } from "./shop.ts";

/** A laptop held by a buyer who is about to pay. */
export type Deal = { buyer: Person; product: string; booking: string; intent: string };

/** Holds a product, or one just listed by the seller, and opens its payment. */
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

/** Says what the buyer's browser says once it was paid; `by` somebody else, where told. */
export function record({ booking, intent, product, buyer }: Deal, by = buyer) {
  const body = {
    price: 640,
    transactionId: intent,
    email: by.email,
    bookingId: booking,
    productId: product,
  };
  return by.send(recordPayment, { body });
}
