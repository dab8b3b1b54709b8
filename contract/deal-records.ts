import { z } from "zod";
import { acknowledged, call, date, id } from "./call.ts";
import { bookingStates } from "./life-cycle.ts";
import { meeting } from "./meetings.ts";
import { message } from "./messages.ts";
import { dispute } from "./payments.ts";
import { dollars } from "./price-schemas.ts";
import { privatePhoto } from "./private-photos.ts";
import { paragraphs } from "./text.ts";

/** The listing as it was when it was booked. Prices in dollars. */
export const bookedListing = z.object({
  product_name: z.string(),
  condition: z.string(),
  description: z.string(),
  resale_price: z.number(),
  original_price: z.number(),
  use_duration: z.number(),
  yearOf_purchase: z.number(),
  location: z.string(),
  images: z.array(z.string()),
  facts: z.record(z.string(), z.unknown()),
});

export type BookedListing = z.output<typeof bookedListing>;

const party = z.object({ name: z.string(), email: z.string() });

/** A deal's data, for admins (decisions/private-photos). */
export const dealRecord = z.object({
  /** The booking's id. */
  _id: id,
  product: z.object({ _id: id, product_name: z.string() }),
  state: z.enum(bookingStates),
  price: z.number(),
  buyer: party,
  seller: party,
  bookedAt: date,
  /** Null for deals booked before the shop kept a copy of the listing. */
  listing: bookedListing.nullable(),
  payment: z.object({ transactionId: z.string(), paidAt: date }).nullable(),
  /** The card provider's fees; null until a nightly job has read them. */
  providerFee: z.number().nullable(),
  /** `code`: the seller entered the buyer's code. `buyer`: the buyer confirmed the handover. */
  handover: z.object({ at: date, by: z.enum(["code", "buyer"]) }).nullable(),
  meeting: meeting.nullable(),
  hasComplaint: z.boolean(),
  /** Whether a complaint, return or dispute is open, so that admins may read the messages. */
  isOpen: z.boolean(),
  /** `_id`: the dispute's id at the card provider. `submittedAt`: when evidence was sent. */
  disputes: z.array(dispute.extend({ _id: z.string(), submittedAt: date.nullable() })),
  /** Money that came back after settlement or can't reach the seller. An admin forwards it. */
  leftover: z.number(),
  /** The part of `leftover` that a refund returns to the card: at most the card payment. */
  leftoverToBuyer: z.number(),
  leftoverWaits: z.boolean(),
  /** Attempts to take money back from the seller's provider account, oldest first. */
  reversals: z.array(
    z.object({
      amount: z.number(),
      at: date,
      /** `asked`: the outcome is not known yet. */
      state: z.enum(["asked", "made", "refused"]),
      /** `program`: by the shop itself. `dashboard`: by an admin in the provider's dashboard. */
      by: z.enum(["program", "dashboard"]),
    }),
  ),
  /** Audit log entries, oldest first; `actor` is null if the system acted on its own. */
  events: z.array(
    z.object({ at: date, actor: z.string().nullable(), verb: z.string(), object: z.string() }),
  ),
});

export type DealRecord = z.output<typeof dealRecord>;

export const readDealRecord = call("GET /dealRecords/{id}", {
  access: "deals",
  summary:
    "What is known about a deal: the listing as it was when booked, payment, handover, meeting, disputes, reversals of the seller's transfer and what happened",
  reads: ["bookings", "payments", "complaints"],
  answers: { 200: dealRecord },
});

export const listDealMessages = call("GET /dealRecords/{id}/messages", {
  access: "deals",
  summary:
    "The messages of a deal while a complaint or dispute about it is open, newest first; `mine` are the buyer's. Reading is recorded in the audit log",
  reads: [],
  paged: true,
  answers: { 200: z.array(message) },
});

export const settleLeftover = call("PUT /dealRecords/{id}/leftover", {
  access: "finance",
  summary:
    "Send money that came back to a settled deal to its buyer or its seller, or return to the buyer what its seller can't receive",
  changes: ["bookings", "payments"],
  body: z.object({
    to: z.enum(["buyer", "seller"], "Say who gets it: buyer or seller."),
    amount: dollars("Amount"),
    /** Why the buyer gets the seller's money. The shop emails this reason to both sides. */
    reason: z.union([z.literal(""), paragraphs("Say why.", 500)]).default(""),
  }),
  limit: { max: 60, minutes: 10 },
  answers: { 200: acknowledged },
  refusals: ["STALE", "INVALID_INPUT"],
});

/** The bank gets a single picture that combines these photos. */
export const maxEvidencePhotos = 12;

/** Stripe's character limit for the field `uncategorized_text`. */
export const maxEvidenceLength = 20_000;

export const draftEvidence = call("GET /dealRecords/{id}/evidence", {
  access: "finance",
  summary:
    "A text for the bank about a disputed deal, with its newest messages, and the photos to send with it. Reading is recorded in the audit log",
  reads: [],
  answers: {
    200: z.object({
      text: z.string(),
      listingPhotos: z.array(z.string()),
      privatePhotos: z.array(privatePhoto),
      /** Set if an earlier attempt got no reply, so the bank might already have the evidence. */
      sent: z.object({ photos: z.boolean() }).nullable(),
    }),
  },
  refusals: ["STALE"],
});

export const evidenceForm = z.object({
  text: paragraphs("Write what the bank should know.", maxEvidenceLength),
});

export const submitEvidence = call("PUT /dealRecords/{id}/evidence", {
  access: "finance",
  summary:
    "Send evidence about a dispute to the bank, with photos as one picture, which can be done once",
  changes: ["bookings", "payments"],
  body: evidenceForm.extend({
    dispute: z.string("Send the id of the dispute.").max(255, "There is no such dispute."),
    /** Photos chosen from `draftEvidence`: URLs of listing photos and ids of private photos. */
    photos: z
      .array(z.string("Send addresses and ids of photos.").max(2048, "There is no such photo."))
      .max(maxEvidencePhotos, `Send at most ${maxEvidencePhotos} photos.`)
      .default([]),
  }),
  limit: { max: 60, minutes: 60 },
  answers: { 200: acknowledged },
  refusals: ["STALE", "PROVIDER_UNAVAILABLE"],
});
