import { z } from "zod";
import { call, id, inserted } from "./call.ts";
import { dollars } from "./money.ts";

export const createPaymentIntent = call({
  method: "POST",
  path: "/create-payment-intent",
  access: "buyer",
  summary: "The payment intent of a booking: the same one, however often asked",
  body: z.object({
    price: dollars("Price is required."),
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
  body: z.object({
    price: dollars("Price is required."),
    transactionId: z
      .string("Transaction id is required.")
      .min(1, "Transaction id is required.")
      .max(255),
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
  transport: "raw",
  answers: { 200: z.object({ received: z.literal(true) }) },
  refusals: ["BAD_SIGNATURE"],
});

export const refundBooking = call({
  method: "POST",
  path: "/refunds",
  access: "admin",
  summary:
    "Give a buyer their money back for a paid booking not handed over yet; the laptop is free again",
  body: z.object({ bookingId: id }),
  limit: { most: 60, minutes: 10 },
  answers: { 201: inserted, 200: inserted },
  refusals: ["STALE", "NOT_FOUND"],
});
