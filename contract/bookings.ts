import { z } from "zod";
import { byId, call, date, id, ignored, inserted, modified, ownPage } from "./call.ts";
import { bookingStates, refundStates } from "./life-cycle.ts";
import { dollars } from "./money.ts";
import { productWithContact } from "./products.ts";
import { email, phone, text } from "./text.ts";

/** How many unpaid holds a buyer may have at once (contract, POST /bookingProducts). */
export const maxUnpaidHolds = 5;

/** How many laptops may be on hold from one network at once. */
export const maxHoldsPerNetwork = 10;

/** Of how many sellers a buyer sees the contact details within 24 hours, before paying. */
export const maxContactsPerDay = 5;

/** A booking as its buyer sees it; the seller's contact only while it is held, paid or completed. */
export const booking = z.object({
  _id: id,
  name: z.string(),
  email: z.string(),
  price: z.number(),
  phone: z.string(),
  location: z.string(),
  paid: z.boolean(),
  state: z.enum(bookingStates),
  /** Who ended a cancelled hold; nobody where that is not known. */
  cancelledBy: z.enum(["buyer", "seller", "shop"]).nullable(),
  bookedAt: date,
  /** When an unpaid hold runs out. */
  heldUntil: date,
  transactionId: z.string().nullable(),
  paidAt: date.nullable(),
  /** The buyer's money that went back, or is about to. */
  refund: z
    .object({ state: z.enum(refundStates), amount: z.number(), refundedAt: date.nullable() })
    .nullable(),
  /** Whether the seller's contact is shown only once this hold is paid for (`maxContactsPerDay`). */
  contactAfterPayment: z.boolean(),
  bookingProduct: productWithContact.partial({ sellerEmail: true, mobile_number: true }),
});

export type Booking = z.output<typeof booking>;

/**
 * What a buyer sends to hold a product. The server takes who from the caller and the price from the
 * product; the price sent is only compared, so nobody books at a price they did not see.
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
  summary: "Hold a product; asked again by the same buyer, it answers the live booking",
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
  summary: "One booking of the caller's, to pay for",
  reads: ["bookings", "products", "payments"],
  params: z.object({ id }),
  answers: { 200: booking },
  refusals: ["NOT_FOUND"],
});

export const cancelBooking = call({
  method: "DELETE",
  path: "/bookingProducts/{id}",
  access: "member",
  summary: "Let go of an unpaid hold: its buyer, or the seller of the product",
  changes: ["bookings", "products"],
  params: z.object({ id }),
  limit: { most: 30, minutes: 10 },
  answers: { 200: modified },
  refusals: ["BOOKING_NOT_PAYABLE", "NOT_FOUND", "PROVIDER_UNAVAILABLE"],
});

export const confirmHandover = call({
  method: "PUT",
  path: "/bookingProducts/handover",
  access: "buyer",
  summary: "Say that a laptop you paid for was handed over to you",
  changes: ["bookings"],
  body: z.object({ id }),
  limit: { most: 60, minutes: 60 },
  answers: { 200: modified },
  refusals: ["STALE", "NOT_FOUND"],
});
