import { randomBytes } from "node:crypto";
import sharp from "sharp";
import { bookProduct, cancelBooking } from "#contract/bookings.ts";
import type { Answer, Call, Request } from "#contract/call.ts";
import { listCategories } from "#contract/categories.ts";
import { type Answered, type Connection, send } from "#contract/client.ts";
import { imageSrcset } from "#contract/image-sources.ts";
import { createPaymentIntent, recordPayment } from "#contract/payments.ts";
import { addProduct } from "#contract/products.ts";
import { refundBooking } from "#contract/refunds.ts";
import type { CardProvider } from "./cards.ts";

export type Caller = {
  connection: Connection;
  /** Returns the response's body. Throws a `CallError` if the call fails. */
  call<C extends Call>(call: C, request: Request<C>): Promise<Answer<C>>;
  /** Like `call`, but returns the status and cursor too. */
  send<C extends Call>(call: C, request: Request<C>): Promise<Answered<C>>;
};

export type Buyer = Caller & { email: string };

export function callsOver(connection: Connection): Caller {
  return {
    connection,
    send: (call, request) => send(connection, call, request),
    call: async (call, request) => (await send(connection, call, request)).body,
  };
}

/** Without category and photo. */
export const goodLaptop = {
  product_name: "ThinkPad X1 Carbon Gen 9",
  condition: "Good" as const,
  resale_price: 640,
  original_price: 1829,
  use_duration: 30,
  location: "Leeds",
  yearOf_purchase: 2024,
  mobile_number: "5550123",
  description: "Battery at 88 %, a scratch on the lid, charger included.",
};

/** In dollars. */
export const price = goodLaptop.resale_price;

/** A JPEG in a random color. */
export async function photo({ width = 800, height = 600 } = {}): Promise<Buffer> {
  const [r = 0, g = 0, b = 0] = randomBytes(3);
  const background = { r, g, b };
  return await sharp({ create: { width, height, channels: 3, background } })
    .jpeg()
    .toBuffer();
}

export async function uploadPhoto(
  who: Caller,
  bytes: Buffer,
  file?: Parameters<typeof uploadForm>[3],
): Promise<Response> {
  return await uploadForm(who, "/images/1/upload?key=embedded", bytes, file);
}

/** `url` is empty if the server rejects the bytes. */
export async function sendPhoto(who: Caller, bytes: Buffer) {
  const answer = await uploadPhoto(who, bytes);
  const { code, message, data } = (await answer.json()) as {
    code?: string;
    message?: string;
    data?: { url: string };
  };
  return { status: answer.status, code, message, url: data?.url ?? "" };
}

export async function storedVersions(url: string): Promise<Response[]> {
  const sized = imageSrcset(url)?.split(", ") ?? [];
  return await Promise.all(
    [url, ...sized.map((one) => one.split(" ")[0] ?? "")].map((one) => fetch(one)),
  );
}

export async function uploadForm(
  { connection: { host, fetch, token } }: Caller,
  path: string,
  bytes: Buffer,
  { name = "photo.jpg", type = "image/jpeg" } = {},
): Promise<Response> {
  const body = new FormData();
  body.append("image", new Blob([new Uint8Array(bytes)], { type }), name);
  const bearer = await token?.();
  const headers: HeadersInit = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` };
  return await fetch(`${host}${path}`, { method: "POST", body, headers });
}

/**
 * Uses `goodLaptop`, the first category, and one photo for all laptops of a seller. Tests that
 * delete photos need `newPhoto`.
 */
export async function draftListing(
  seller: Caller,
  { img, ...changes }: Record<string, unknown> & { img?: string | undefined } = {},
) {
  const [category] = await seller.call(listCategories, {});
  if (!category) throw new Error("there is no category to sell in");
  const shown = img ?? (await sharedPhoto(seller));
  return { ...goodLaptop, product_categoryId: category._id, img: shown, ...changes };
}

const sharedPhotos = new WeakMap<Caller, Promise<string>>();

/** Uploads one photo per seller, because an upload takes longer than the rest of a listing. */
function sharedPhoto(seller: Caller): Promise<string> {
  const shared = sharedPhotos.get(seller);
  if (shared) return shared;
  const uploaded = newPhoto(seller);
  sharedPhotos.set(seller, uploaded);
  uploaded.catch(() => sharedPhotos.delete(seller));
  return uploaded;
}

export async function newPhoto(seller: Caller): Promise<string> {
  const { url, message } = await sendPhoto(seller, await photo({ width: 160, height: 120 }));
  if (url === "") throw new Error(message);
  return url;
}

export async function listing(
  seller: Caller,
  changes: Parameters<typeof draftListing>[1] = {},
): Promise<string> {
  const body = await draftListing(seller, changes);
  return (await seller.call(addProduct, { body })).insertedId;
}

export function orderFor(product: string) {
  return {
    price,
    phone: "5550177",
    location: "Union Station, under the clock",
    bookingProduct: { _id: product },
  };
}

/** Books at the price of `goodLaptop` by default. Returns the booking's id. */
export async function bookLaptop(
  buyer: Caller,
  product: string,
  changes: Partial<ReturnType<typeof orderFor>> = {},
): Promise<string> {
  return (await buyer.call(bookProduct, { body: { ...orderFor(product), ...changes } })).insertedId;
}

/** Returns the payment intent's id at the provider. */
export async function openPayment(buyer: Caller, bookingId: string, cost = price): Promise<string> {
  const body = { price: cost, bookingId };
  const { clientSecret } = await buyer.call(createPaymentIntent, { body });
  return intentIn(clientSecret);
}

export function intentIn(clientSecret: string): string {
  return clientSecret.split("_secret_")[0] ?? "";
}

/** A hold, with a payment intent that the buyer can pay. */
export type Deal<B extends Buyer = Buyer> = {
  buyer: B;
  product: string;
  booking: string;
  intent: string;
  /** In dollars. By default, the price of `goodLaptop`. */
  price?: number;
};

export async function openDeal<B extends Buyer>(buyer: B, product: string): Promise<Deal<B>> {
  const booking = await bookLaptop(buyer, product);
  return { buyer, product, booking, intent: await openPayment(buyer, booking) };
}

export function paymentFor({
  booking,
  intent,
  ...deal
}: Pick<Deal, "booking" | "intent" | "price">) {
  return { price: deal.price ?? price, transactionId: intent, bookingId: booking };
}

/** Reports the payment, as the buyer's browser does after paying. `by` can be another user. */
export async function sendRecordPayment(deal: Deal, by: Buyer = deal.buyer) {
  const body = { ...paymentFor(deal), email: by.email, productId: deal.product };
  return await by.send(recordPayment, { body });
}

export async function payForDeal(cards: CardProvider, deal: Deal): Promise<void> {
  await cards.pay(deal.intent);
  await sendRecordPayment(deal);
}

export async function cancelHold(buyer: Caller, booking: string): Promise<void> {
  await buyer.call(cancelBooking, { params: { id: booking } });
}

export async function refund(admin: Caller, booking: string): Promise<void> {
  await admin.call(refundBooking, { body: { bookingId: booking } });
}
