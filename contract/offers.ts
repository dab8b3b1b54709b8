import { z } from "zod";
import { byId, call, date, deleted, id, inserted, modified, ownPage } from "./call.ts";
import { offerStates } from "./life-cycle.ts";
import { accountTypes } from "./members.ts";
import { dollars, priceRange, typedDollars } from "./price-schemas.ts";
import { rating } from "./reviews.ts";
import { phone, text } from "./text.ts";

export const offerHours = 48;

/** Per buyer and day, including the buyer's counteroffers. */
export const maxOffersPerLaptop = 5;

const price = dollars("Price", priceRange);

/** The buyer's contact details for the hold. The seller sees them once the offer is accepted. */
const contact = {
  phone: phone("Phone is required."),
  location: text("Meeting location is required.", 200),
};

export const newOffer = z.object({ product: byId, price, ...contact });

export const offerForm = z.object({ price: typedDollars("Price", priceRange), ...contact });
export const counterForm = offerForm.pick({ price: true });

export const offer = z.object({
  _id: id,
  product: z.object({
    _id: id,
    product_name: z.string(),
    img: z.string().nullable(),
    /** The listed price. */
    price: z.number(),
  }),
  role: z.enum(accountTypes),
  other: z.object({ name: z.string(), rating: rating.nullable() }),
  price: z.number(),
  /** Whether the caller named this price. Only the other side can accept the offer. */
  mine: z.boolean(),
  state: z.enum(offerStates),
  madeAt: date,
  expiresAt: date,
  bookingId: id.nullable(),
  /** Whether the shop declines this low offer automatically; always false for the buyer. */
  belowFloor: z.boolean(),
});

export type Offer = z.output<typeof offer>;

const limit = { max: 60, minutes: 60 };

export const listOffers = call("GET /offers", {
  access: "member",
  summary: "The caller's offers as buyer and as seller, newest first",
  reads: ["offers", "products", "bookings"],
  query: ownPage.extend({
    /** Only offers that can still be accepted. */
    open: z.stringbool("open must be true or false.").optional(),
    product: id.optional(),
    /** Only offers between the conversation's members on its laptop. */
    conversation: id.optional(),
  }),
  paged: true,
  answers: { 200: z.array(offer) },
});

export const makeOffer = call("POST /offers", {
  access: "buyer",
  summary:
    "Offer another price for a laptop; accepted within 48 hours, the laptop is held at that price",
  changes: ["offers"],
  body: newOffer,
  confirmed: true,
  limit: { max: 30, minutes: 60 },
  answers: { 201: inserted },
  refusals: [
    "NOT_FOUND",
    "PRODUCT_TAKEN",
    "PRICE_CHANGED",
    "ALREADY_OFFERED",
    "FORBIDDEN",
    "BLOCKED",
    "GONE",
  ],
});

export const acceptOffer = call("POST /offers/{id}/acceptance", {
  access: "member",
  summary:
    "Accept the other side's offer: the laptop is held for the buyer at its price; the id is the booking's",
  changes: ["offers", "bookings", "products"],
  confirmed: true,
  limit,
  answers: { 201: inserted },
  refusals: ["STALE", "PRODUCT_TAKEN", "PRICE_CHANGED", "TOO_MANY_HOLDS", "BLOCKED", "GONE"],
});

export const declineOffer = call("PUT /offers/{id}/decline", {
  access: "member",
  summary: "Decline the other side's offer",
  changes: ["offers"],
  limit,
  answers: { 200: modified },
  refusals: ["STALE"],
});

export const counterOffer = call("POST /offers/{id}/counter", {
  access: "member",
  summary:
    "Answer the other side's offer with another price, for 48 hours; the id is the new offer's",
  changes: ["offers"],
  body: z.object({ price }),
  confirmed: true,
  limit,
  answers: { 201: inserted },
  refusals: ["STALE", "PRODUCT_TAKEN", "PRICE_CHANGED", "BLOCKED", "GONE"],
});

export const withdrawOffer = call("DELETE /offers/{id}", {
  access: "member",
  summary: "Take back the caller's own offer",
  changes: ["offers"],
  limit,
  answers: { 200: deleted },
  refusals: ["STALE"],
});
