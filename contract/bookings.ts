import { z } from "zod";
import { byId, call, date, id, ignored, inserted, modified, ownPage } from "./call.ts";
import { noDiscountReasons } from "./invitation-rules.ts";
import { bookingStates, disputeStates, refundStates } from "./life-cycle.ts";
import { meeting } from "./meetings.ts";
import { dollars, partRefund } from "./price-schemas.ts";
import { productWithContact } from "./products.ts";
import { email, phone, text } from "./text.ts";

/** Simultaneous unpaid holds per buyer. `maxHoldsPerNetwork` is for all buyers on one network. */
export const maxUnpaidHolds = 5;

export const maxHoldsPerNetwork = 10;

/** Sellers per 24 hours whose contact details one buyer sees before paying. */
export const maxContactsPerDay = 5;

export const maxContactsPerNetwork = 10;

/**
 * Held, paid and completed bookings include the seller's contact details. A hold omits them if
 * either side blocks the other, or if `contactAfterPayment` is true.
 */
export const booking = z.object({
  _id: id,
  name: z.string(),
  email: z.string(),
  price: z.number(),
  /** The invited friend's discount. The shop pays it, so it costs the seller nothing. */
  discount: z.number(),
  /** Why an invited friend gets no discount on this hold; null otherwise, and in lists. */
  noDiscount: z.enum(noDiscountReasons).nullable(),
  /**
   * Whether the seller's 30-day limit reduces `credit`. False in lists and once `amountDue` is
   * fixed.
   */
  creditLimited: z.boolean(),
  credit: z.number(),
  /** Amount due or paid by card: the price minus discount and credit. */
  amountDue: z.number(),
  phone: z.string(),
  location: z.string(),
  paid: z.boolean(),
  state: z.enum(bookingStates),
  /** Null if the hold wasn't canceled, or if there is no record of who canceled it. */
  cancelledBy: z.enum(["buyer", "seller", "shop"]).nullable(),
  bookedAt: date,
  heldUntil: date,
  transactionId: z.string().nullable(),
  paidAt: date.nullable(),
  /** The refund of a whole payment. */
  refund: z
    .object({
      state: z.enum(refundStates),
      amount: z.number(),
      refundedAt: date.nullable(),
      /** False if the refund is done and none of it went to the buyer's card. */
      toCard: z.boolean(),
      /** The part that the buyer's bank gave back in a dispute. */
      fromBank: z.number(),
      /** The part that an admin sent by means other than the card. */
      sent: z.number(),
      /** The payment's newest dispute; null if there is none. */
      dispute: z.enum(disputeStates).nullable(),
    })
    .nullable(),
  /** Null if there is no refund or the whole payment is refunded. */
  partRefund: partRefund.nullable(),
  /** Whether a contact limit hides the seller's contact details until the buyer pays. */
  contactAfterPayment: z.boolean(),
  /** How long after the handover the buyer can complain. */
  complaintHours: z.number(),
  /** Deadline for a complaint; null while the buyer can't complain. */
  complaintUntil: date.nullable(),
  hasComplaint: z.boolean(),
  /** Whether the complaint is undecided. */
  hasOpenComplaint: z.boolean(),
  /** Deadline for returning the laptop to the seller; null if no refund waits for a return. */
  returnBy: date.nullable(),
  mayReview: z.boolean(),
  meeting: meeting.nullable(),
  /** Last four characters of the serial number; null if none is stored or the deal isn't paid. */
  serialEnd: z.string().nullable(),
  /** The current listing. Admins also see it as it was when booked (`bookedListing`). */
  bookingProduct: productWithContact.partial({ sellerEmail: true, mobile_number: true }),
});

export type Booking = z.output<typeof booking>;

/** `receiptIssuer`: the receipt's lines that name the shop; empty before the payment. */
export const bookingToPay = booking.extend({ receiptIssuer: z.array(z.string()) });

export type BookingToPay = z.output<typeof bookingToPay>;

/** `price` must be the current price, so that buyers never book at a price they haven't seen. */
export const newBooking = z.object({
  name: ignored,
  email: ignored,
  price: dollars("Price"),
  phone: phone("Phone is required."),
  location: text("Meeting location is required.", 200),
  paid: ignored,
  bookingProduct: byId,
});

export const bookProduct = call("POST /bookingProducts", {
  access: "buyer",
  summary: "Hold a product; repeated by the same buyer, it returns the live booking",
  changes: ["bookings", "products"],
  body: newBooking,
  confirmed: true,
  limit: { max: 30, minutes: 10 },
  answers: { 201: inserted, 200: inserted },
  refusals: ["PRODUCT_TAKEN", "PRICE_CHANGED", "TOO_MANY_HOLDS", "BLOCKED", "NOT_FOUND"],
});

export const listBookings = call("GET /bookingProducts/{email}", {
  access: "self",
  summary: "A buyer's bookings, newest first",
  reads: ["bookings", "products", "payments"],
  params: z.object({ email }),
  query: ownPage,
  paged: true,
  answers: { 200: z.array(booking) },
});

export const findBookingToPay = call("GET /bookingProducts/pay/{id}", {
  access: "buyer",
  summary: "One of the caller's bookings, to pay for",
  reads: ["bookings", "products", "payments"],
  answers: { 200: bookingToPay },
});

export const cancelBooking = call("DELETE /bookingProducts/{id}", {
  access: "member",
  summary: "Cancel an unpaid hold, as its buyer or seller",
  changes: ["bookings", "products"],
  limit: { max: 30, minutes: 10 },
  answers: { 200: modified },
  refusals: ["BOOKING_NOT_PAYABLE", "PROVIDER_UNAVAILABLE"],
});
