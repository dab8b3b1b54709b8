import { z } from "zod";
import { acknowledged, call, date, id, modified } from "./call.ts";
import { settlementStates } from "./life-cycle.ts";
import { dollars } from "./price-schemas.ts";
import { attachedPhotos, privatePhoto } from "./private-photos.ts";
import { paragraphs } from "./text.ts";

export const complaintReasons = [
  "not_as_described",
  "not_working",
  "missing_parts",
  "not_received",
  "other",
] as const;
export type ComplaintReason = (typeof complaintReasons)[number];

/** Agree to a full refund, offer a partial refund, or disagree. */
export const complaintAnswers = ["refund", "offer", "disagree"] as const;

const words = paragraphs("Say what is wrong.", 2000);
const answerWords = paragraphs("Say why.", 2000);

/** Amounts in dollars. */
export const complaint = z.object({
  /** The booking's id. */
  _id: id,
  product: z.object({ _id: id, product_name: z.string() }),
  price: z.number(),
  /** The shop's fee if the seller gets the whole price. */
  fee: z.number(),
  buyer: z.string(),
  seller: z.string(),
  role: z.enum(["buyer", "seller", "admin"]),
  reason: z.enum(complaintReasons),
  words: z.string(),
  openedAt: date,
  photos: z.array(privatePhoto),
  answer: z
    .object({
      answer: z.enum(complaintAnswers),
      words: z.string(),
      photos: z.array(privatePhoto),
      offer: z.number().nullable(),
      answeredAt: date,
    })
    .nullable(),
  /** Deadline for the seller to answer, or for the buyer to accept the offer. */
  answerBy: date,
  /** Whether the complaint was handed to the admins. */
  adminsDecide: z.boolean(),
  /** `decideBy`: the admins' deadline. `refundAt`: when the buyer wins if nobody has decided. */
  decideBy: date,
  refundAt: date,
  /** Whether a dispute or bank inquiry is open. Meanwhile, no deadline ends the complaint. */
  waitsForBank: z.boolean(),
  decision: z
    .object({
      refund: z.number(),
      words: z.string(),
      byAdmin: z.boolean(),
      decidedAt: date,
      /** Deadline for returning the laptop; null if no refund waits for a return. */
      returnBy: date.nullable(),
    })
    .nullable(),
  settlement: z.enum(settlementStates),
});

export type Complaint = z.output<typeof complaint>;

export const newComplaint = z.object({
  bookingId: id,
  reason: z.enum(complaintReasons, "Choose what is wrong."),
  words,
  photos: attachedPhotos,
});

export const complain = call("POST /complaints", {
  access: "buyer",
  openWhileClosed: true,
  summary: "Say that something is wrong with a laptop that was handed over; its money then waits",
  changes: ["complaints", "bookings", "payouts"],
  body: newComplaint,
  confirmed: true,
  limit: { max: 20, minutes: 60 },
  answers: { 201: acknowledged },
  refusals: ["STALE", "NOT_FOUND", "IMAGE_NOT_OURS"],
});

export const readComplaint = call("GET /complaints/{id}", {
  access: "member",
  summary: "A complaint, for the buyer and seller of the booking and for admins",
  reads: ["complaints", "bookings", "products"],
  answers: { 200: complaint },
});

/** `offer` is required if `answer` is `offer`. */
export const complaintAnswerForm = z.object({
  answer: z.enum(complaintAnswers, "Choose an answer."),
  words: answerWords,
  offer: dollars("Offer", { minCents: () => 1 }).optional(),
  photos: attachedPhotos,
});

export const answerComplaint = call("PUT /complaints/{id}/answer", {
  access: "seller",
  summary: "Answer a complaint about a sale: refund it, offer a part, or disagree",
  changes: ["complaints", "bookings", "payments", "payouts"],
  body: complaintAnswerForm,
  limit: { max: 20, minutes: 60 },
  answers: { 200: modified },
  refusals: ["STALE", "IMAGE_NOT_OURS", "INVALID_INPUT"],
});

export const closeComplaint = call("PUT /complaints/{id}/agreement", {
  access: "buyer",
  summary: "Accept what the seller offers, or withdraw the complaint",
  changes: ["complaints", "bookings", "payments", "payouts"],
  body: z.object({
    agree: z.enum(["offer", "withdraw"], "Send offer or withdraw."),
    /** The offer that the buyer saw, in dollars. Accepting a changed offer fails with `STALE`. */
    offer: z.number("Send the offer you accept.").nullable(),
  }),
  limit: { max: 20, minutes: 60 },
  answers: { 200: modified },
  refusals: ["STALE"],
});

export const listComplaints = call("GET /complaints", {
  access: "support",
  summary: "The complaints that are not decided, newest first",
  reads: ["complaints", "bookings", "products"],
  replica: true,
  paged: true,
  answers: { 200: z.array(complaint) },
});

/** `refund`: the buyer's refund in dollars, from 0 to the full price. */
export const complaintDecisionForm = z.object({
  refund: dollars("The refund"),
  words: answerWords,
  /** Whether a full refund is paid without waiting for the laptop's return. */
  atOnce: z.boolean("Send true or false.").default(false),
});

export const decideComplaint = call("PUT /complaints/{id}/decision", {
  access: "support",
  summary:
    "Decide a complaint, again while its refund waits for the laptop: all of the money goes back to the buyer, a part, or nothing",
  changes: ["complaints", "bookings", "payments", "payouts"],
  body: complaintDecisionForm,
  limit: { max: 60, minutes: 60 },
  answers: { 200: modified },
  refusals: ["STALE", "INVALID_INPUT"],
});
