import { z } from "zod";
import { byId, call, date, id, ignored, inserted, modified, ownPage } from "./call.ts";
import { noDiscountReasons } from "./invitation-rules.ts";
import { bookingStates, disputeStates, refundStates } from "./life-cycle.ts";
import { meeting } from "./meetings.ts";
import { dollars, partRefund } from "./money.ts";
import { productWithContact } from "./products.ts";
import { email, phone, text } from "./text.ts";

/** Unpaid holds per buyer at once. */
export const maxUnpaidHolds = 5;

/** Unpaid holds per network at once. */
export const maxHoldsPerNetwork = 10;

/** Sellers whose contact details a buyer sees within 24 hours before paying. */
export const maxContactsPerDay = 5;

/** Sellers whose contact details all buyers of a network see within 24 hours before paying. */
export const maxContactsPerNetwork = 10;

/** A booking as its buyer sees it; with the seller's contact details while it is held, paid or completed. */
export const booking = z.object({
  _id: id,
  name: z.string(),
  email: z.string(),
  price: z.number(),
  /** What is off the price for an invited friend; the seller gets the whole price. */
  discount: z.number(),
  /** Why an invited friend gets no discount on a laptop that they hold. */
  noDiscount: z.enum(noDiscountReasons).nullable(),
  /** Whether less of the credit is used than there is, because the seller's buyers have spent that of 30 days. */
  creditLimited: z.boolean(),
  /** How much of the buyer's credit is used. */
  credit: z.number(),
  /** What is due or was paid by card: the price less discount and credit. */
  amountDue: z.number(),
  phone: z.string(),
  location: z.string(),
  paid: z.boolean(),
  state: z.enum(bookingStates),
  /** Who cancelled the hold; null if it was not cancelled, or that is not known. */
  cancelledBy: z.enum(["buyer", "seller", "shop"]).nullable(),
  bookedAt: date,
  /** When an unpaid hold expires. */
  heldUntil: date,
  transactionId: z.string().nullable(),
  paidAt: date.nullable(),
  /** The refund, due or done. */
  refund: z
    .object({
      state: z.enum(refundStates),
      amount: z.number(),
      refundedAt: date.nullable(),
      /** Whether the money went back to the card; if not, it was sent in another way. */
      toCard: z.boolean(),
      /** How much of it the buyer's bank gave back in a dispute. */
      fromBank: z.number(),
      /** How much of it an admin sent in another way. */
      sent: z.number(),
      /** How the newest dispute of the payment stands; null without one. */
      dispute: z.enum(disputeStates).nullable(),
    })
    .nullable(),
  /** Null if the whole payment goes back or nothing does. */
  partRefund: partRefund.nullable(),
  /** Whether the seller's contact details are hidden until this hold is paid for (`maxContactsPerDay`, `maxContactsPerNetwork`). */
  contactAfterPayment: z.boolean(),
  /** Until when the buyer can say that something is wrong; null before the handover, after that time and once they have. */
  complaintUntil: date.nullable(),
  /** Whether they have said so. */
  hasComplaint: z.boolean(),
  /** Until when the laptop goes back to the seller, while a refund waits for that. */
  returnBy: date.nullable(),
  /** Whether the buyer can review the seller now. */
  mayReview: z.boolean(),
  /** The proposed or agreed place and time of the handover. */
  meeting: meeting.nullable(),
  /** The last four characters of the laptop's serial number, for who has paid; null without one. */
  serialEnd: z.string().nullable(),
  bookingProduct: productWithContact.partial({ sellerEmail: true, mobile_number: true }),
});

export type Booking = z.output<typeof booking>;

/** The buyer is the caller. `price` must be the current one, so that nobody books at a price they haven't seen. */
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
