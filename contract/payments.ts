import { z } from "zod";
import { call, date, id, ignored, inserted, page } from "./call.ts";
import { bookingStates, disputeStates, paymentStates } from "./life-cycle.ts";
import { dollars, partRefund } from "./price-schemas.ts";
import { text } from "./text.ts";

export const createPaymentIntent = call("POST /create-payment-intent", {
  access: "buyer",
  summary: "The payment intent of a booking; repeated, it returns the same one",
  // Empty even if the call settles the payment, because a live event then makes browsers refetch.
  changes: [],
  body: z.object({
    price: dollars("Price"),
    bookingId: id.optional(),
  }),
  limit: { max: 60, minutes: 10 },
  answers: { 200: z.object({ clientSecret: z.string() }) },
  refusals: ["PRICE_CHANGED", "BOOKING_NOT_PAYABLE", "NOT_FOUND", "PROVIDER_UNAVAILABLE"],
});

export const recordPayment = call("POST /payments", {
  access: "buyer",
  summary: "Record a payment that the provider confirms; repeated, it returns the same record",
  changes: ["payments", "bookings", "products"],
  body: z.object({
    price: dollars("Price"),
    transactionId: text("Transaction id is required.", 255),
    email: ignored,
    bookingId: id,
    productId: id.optional(),
  }),
  limit: { max: 60, minutes: 10 },
  answers: { 201: inserted, 200: inserted },
  refusals: ["PAYMENT_NOT_CONFIRMED", "BOOKING_NOT_PAYABLE", "NOT_FOUND", "PROVIDER_UNAVAILABLE"],
});

export const receiveStripeEvent = call("POST /webhooks/stripe", {
  access: "provider",
  summary: "Webhook of the card provider, signed",
  changes: ["payments", "bookings", "products"],
  transport: "raw",
  limit: { max: 60, minutes: 1 },
  answers: { 200: z.object({ received: z.literal(true) }) },
  refusals: ["BAD_SIGNATURE", "BAD_REQUEST"],
});

/** A dispute or inquiry about a payment, opened by the buyer's bank. */
export const dispute = z.object({
  state: z.enum(disputeStates),
  /** The provider's code, such as `product_not_received`. */
  reason: z.string(),
  amount: z.number(),
  /** Deadline for evidence; null once the provider has the evidence or the bank has decided. */
  respondBy: date.nullable(),
  openedAt: date,
  closedAt: date.nullable(),
});

export type Dispute = z.output<typeof dispute>;

/** An admin's view of a payment (specification 3). Amounts are in dollars. */
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
  /** How many times the bank sent the refund back. */
  failedRefunds: z.number(),
  /** Given back by the buyer's bank in disputes. */
  fromBank: z.number(),
  /** Sent to the buyer by an admin by means other than the card. */
  sent: z.number(),
  partRefund: partRefund.nullable(),
  /** A failed partial refund, which an admin has to send by other means. */
  unsentPart: z.number().nullable(),
  /** Still owed to the buyer: `unsentPart`, or the unpaid part of a full refund. */
  unsent: z.number(),
  dispute: dispute.nullable(),
});

export type Payment = z.output<typeof payment>;

/** `search`: a whole transaction id, or the start of the buyer's email. */
export const paymentFilter = z.object({
  search: z.string().trim().max(255, "Use at most 255 characters.").optional(),
});

export const listPayments = call("GET /payments", {
  access: "finance",
  summary: "The payments, newest first, searched by transaction id or the buyer's email",
  reads: ["payments", "bookings", "products"],
  replica: true,
  query: page.extend(paymentFilter.shape),
  paged: true,
  answers: { 200: z.array(payment) },
});
