import { z } from "zod";
import { byId, call, date, id, ignored, inserted, modified, ownPage } from "./call.ts";
import { noDiscountReasons } from "./invitation-rules.ts";
import { bookingStates, disputeStates, refundStates } from "./life-cycle.ts";
import { meeting } from "./meetings.ts";
import { dollars, partRefund } from "./money.ts";
import { productWithContact } from "./products.ts";
import { email, phone, text } from "./text.ts";

/** Maximum simultaneous unpaid holds per buyer. */
export const maxUnpaidHolds = 5;

/** Maximum simultaneous unpaid holds per network. */
export const maxHoldsPerNetwork = 10;

/** Maximum sellers per 24 hours whose contact details a buyer sees before paying. */
export const maxContactsPerDay = 5;

/** Like `maxContactsPerDay`, for all buyers of one network together. */
export const maxContactsPerNetwork = 10;

/**
 * A booking as its buyer sees it. It has the seller's contact details while it is held, paid or
 * completed. A hold lacks them if either side blocks the other, or with `contactAfterPayment`.
 */
export const booking = z.object({
  _id: id,
  name: z.string(),
  email: z.string(),
  price: z.number(),
  /** Discount of an invited friend. The shop pays it, so the seller gets the full price. */
  discount: z.number(),
  /** Why an invited friend gets no discount on a laptop that they hold; null otherwise. */
  noDiscount: z.enum(noDiscountReasons).nullable(),
  /** Whether the seller's 30-day credit limit reduces `credit`. */
  creditLimited: z.boolean(),
  /** The part of the buyer's credit used for this booking. */
  credit: z.number(),
  /** Due or paid by card: the price minus discount and credit. */
  amountDue: z.number(),
  phone: z.string(),
  location: z.string(),
  paid: z.boolean(),
  state: z.enum(bookingStates),
  /** The side that canceled the hold. Null if it was not canceled, or if nobody knows who did. */
  cancelledBy: z.enum(["buyer", "seller", "shop"]).nullable(),
  bookedAt: date,
  /** When an unpaid hold expires. */
  heldUntil: date,
  transactionId: z.string().nullable(),
  paidAt: date.nullable(),
  /** The full refund, pending or done. */
  refund: z
    .object({
      state: z.enum(refundStates),
      amount: z.number(),
      refundedAt: date.nullable(),
      /** False if the money went back another way than to the card. */
      toCard: z.boolean(),
      /** The part that the buyer's bank gave back in a dispute. */
      fromBank: z.number(),
      /** The part that an admin sent another way. */
      sent: z.number(),
      /** State of the payment's newest dispute; null without one. */
      dispute: z.enum(disputeStates).nullable(),
    })
    .nullable(),
  /** Null without a refund, or if the whole payment is refunded. */
  partRefund: partRefund.nullable(),
  /**
   * Whether the seller's contact details stay hidden until this hold is paid for
   * (`maxContactsPerDay`, `maxContactsPerNetwork`).
   */
  contactAfterPayment: z.boolean(),
  /** Deadline for a complaint; null before the handover, after the deadline or with a complaint. */
  complaintUntil: date.nullable(),
  /** Whether the buyer has complained. */
  hasComplaint: z.boolean(),
  /** Deadline for returning the laptop to the seller, while a refund waits for it. */
  returnBy: date.nullable(),
  /** Whether the buyer can review the seller now. */
  mayReview: z.boolean(),
  /** The proposed or agreed place and time of the handover. */
  meeting: meeting.nullable(),
  /** Last four characters of the serial number; null before payment or without one. */
  serialEnd: z.string().nullable(),
  bookingProduct: productWithContact.partial({ sellerEmail: true, mobile_number: true }),
});

export type Booking = z.output<typeof booking>;

/**
 * The caller is the buyer. `price` must be current, so that buyers never book at a price they
 * haven't seen.
 */
export const newBooking = z.object({
  name: ignored,
  email: ignored,
  price: dollars("Price"),
  phone: phone("Phone is required."),
  location: text("Meeting location is required.", 200),
  paid: ignored,
  bookingProduct: byId,
});

export const bookProduct = call({
  method: "POST",
  path: "/bookingProducts",
  access: "buyer",
  summary: "Hold a product; repeated by the same buyer, it returns the live booking",
  changes: ["bookings", "products"],
  body: newBooking,
  confirmed: true,
  limit: { most: 30, minutes: 10 },
  answers: { 201: inserted, 200: inserted },
  refusals: [
    "PRODUCT_TAKEN",
    "PRICE_CHANGED",
    "TOO_MANY_HOLDS",
    "ADDRESS_NOT_CONFIRMED",
    "BLOCKED",
    "NOT_FOUND",
  ],
});

export const listBookings = call({
  method: "GET",
  path: "/bookingProducts/{email}",
  access: "self",
  summary: "A buyer's bookings, newest first",
  reads: ["bookings", "products", "payments"],
  params: z.object({ email }),
  query: ownPage,
  paged: true,
  answers: { 200: z.array(booking) },
  refusals: [],
});

export const findBookingToPay = call({
  method: "GET",
  path: "/bookingProducts/pay/{id}",
  access: "buyer",
  summary: "One of the caller's bookings, to pay for",
  reads: ["bookings", "products", "payments"],
  params: z.object({ id }),
  answers: { 200: booking },
  refusals: ["NOT_FOUND"],
});

export const cancelBooking = call({
  method: "DELETE",
  path: "/bookingProducts/{id}",
  access: "member",
  summary: "Cancel an unpaid hold, as its buyer or seller",
  changes: ["bookings", "products"],
  params: z.object({ id }),
  limit: { most: 30, minutes: 10 },
  answers: { 200: modified },
  refusals: ["BOOKING_NOT_PAYABLE", "NOT_FOUND", "PROVIDER_UNAVAILABLE"],
});
