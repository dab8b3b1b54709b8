import { z } from "zod";
import { call, date, id, ignored, inserted, page } from "./call.ts";
import { bookingStates, paymentStates } from "./life-cycle.ts";
import { dollars } from "./money.ts";
import { text } from "./text.ts";

export const createPaymentIntent = call({
  method: "POST",
  path: "/create-payment-intent",
  access: "buyer",
  summary: "The payment intent of a booking: the same one, however often asked",
  changes: [],
  body: z.object({
    price: dollars("Price"),
    bookingId: id.optional(),
  }),
  limit: { most: 60, minutes: 10 },
  answers: { 200: z.object({ clientSecret: z.string() }) },
  refusals: ["PRICE_CHANGED", "BOOKING_NOT_PAYABLE", "NOT_FOUND", "PROVIDER_UNAVAILABLE"],
});

export const recordPayment = call({
  method: "POST",
  path: "/payments",
  access: "buyer",
  summary: "Record a payment the provider says has succeeded; repeated, it answers the same record",
  changes: ["payments", "bookings", "products"],
  body: z.object({
    price: dollars("Price"),
    transactionId: text("Transaction id is required.", 255),
    email: ignored,
    bookingId: id,
    productId: id.optional(),
  }),
  limit: { most: 60, minutes: 10 },
  answers: { 201: inserted, 200: inserted },
  refusals: ["PAYMENT_NOT_CONFIRMED", "BOOKING_NOT_PAYABLE", "NOT_FOUND", "PROVIDER_UNAVAILABLE"],
});

export const receiveStripeEvent = call({
  method: "POST",
  path: "/webhooks/stripe",
  access: "provider",
  summary: "An event of the card provider, signed by it",
  changes: ["payments", "bookings", "products"],
  transport: "raw",
  limit: { most: 60, minutes: 1 },
  answers: { 200: z.object({ received: z.literal(true) }) },
  refusals: ["BAD_SIGNATURE", "BAD_REQUEST"],
});

/** A payment as an admin sees it (specification 3), with whose it is and what for. */
export const payment = z.object({
  _id: id,
  price: z.number(),
  transactionId: z.string(),
  name: z.string(),
  email: z.string(),
  bookingId: id,
  productId: id,
  product_name: z.string(),
  state: z.enum(paymentStates),
  bookingState: z.enum(bookingStates),
  recordedAt: date,
  refundedAt: date.nullable(),
});

export type Payment = z.output<typeof payment>;

/** What payments can be searched for: a whole transaction id, or how the buyer's e-mail begins. */
export const paymentFilter = z.object({
  search: z.string().trim().max(255, "At most 255 characters, please.").optional(),
});

export const listPayments = call({
  method: "GET",
  path: "/payments",
  access: "admin",
  summary: "The payments, newest first, searched by transaction id or the buyer's e-mail",
  reads: ["payments", "bookings", "products"],
  query: page.extend(paymentFilter.shape),
  paged: true,
  answers: { 200: z.array(payment) },
  refusals: [],
});

export const refundBooking = call({
  method: "POST",
  path: "/refunds",
  access: "admin",
  summary:
    "Give a buyer their money back for a paid booking not handed over yet; the laptop is free again",
  changes: ["payments", "bookings", "products"],
  body: z.object({ bookingId: id }),
  limit: { most: 60, minutes: 10 },
  answers: { 201: inserted, 200: inserted },
  refusals: ["STALE", "NOT_FOUND"],
});
