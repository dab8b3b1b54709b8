import { z } from "zod";
import { call, date, id, modified } from "./call.ts";
import { bookingStates } from "./life-cycle.ts";
import { meeting } from "./meetings.ts";
import { accountTypes } from "./members.ts";

/** After this many wrong codes, the seller needs a new code from the buyer. */
export const maxWrongHandoverCodes = 5;

const code = z
  .string("Handover code is required.")
  .transform((typed) => typed.replaceAll(/[\s-]/g, ""))
  .pipe(z.string().regex(/^\d{6}$/, "Enter the six digits that the buyer shows you."));

export const handoverCodeForm = z.object({ code });

export const handover = z.object({
  _id: id,
  role: z.enum(accountTypes),
  state: z.enum(bookingStates),
  /** A full refund after a complaint. `waits`: the laptop must be returned first. */
  refund: z.enum(["waits", "started"]).nullable(),
  product: z.object({ _id: id, product_name: z.string() }),
  other: z.string(),
  /** The buyer's Meeting Location, which the form suggests as the place; may be empty. */
  location: z.string(),
  meeting: meeting.nullable(),
  /** Null for the seller, or if none was issued. `locked`: after too many wrong codes. */
  code: z.object({ issuedAt: date, locked: z.boolean() }).nullable(),
});

export type Handover = z.output<typeof handover>;

export const readHandover = call("GET /bookingProducts/handover/{id}", {
  access: "member",
  summary: "One of the caller's deals, as its buyer or seller, to hand the laptop over",
  reads: ["bookings", "products"],
  answers: { 200: handover },
});

export const confirmHandover = call("PUT /bookingProducts/handover", {
  access: "member",
  summary:
    "Confirm that you have received a laptop you paid for, or as its seller that you have it back, which refunds the buyer",
  changes: ["bookings", "complaints", "payments", "payouts"],
  body: z.object({ id }),
  limit: { max: 60, minutes: 60 },
  answers: { 200: modified },
  refusals: ["STALE", "NOT_FOUND"],
});

export const issueHandoverCode = call("POST /bookingProducts/handoverCode", {
  access: "buyer",
  summary:
    "Issue the code to show the seller when you have received a laptop you paid for, or give it back for a refund; an earlier one no longer works",
  changes: ["bookings"],
  body: z.object({ id }),
  limit: { max: 30, minutes: 60 },
  secretAnswer: true,
  answers: { 201: z.object({ code: z.string(), issuedAt: date }) },
  refusals: ["STALE", "NOT_FOUND"],
});

export const confirmHandoverByCode = call("PUT /bookingProducts/handoverCode", {
  access: "seller",
  summary:
    "Confirm that you have handed a laptop over, or have it back for a refund, by the code its buyer shows you",
  changes: ["bookings", "complaints", "payments", "payouts"],
  body: z.object({ id, code }),
  limit: { max: 60, minutes: 60 },
  answers: { 200: modified },
  refusals: ["WRONG_HANDOVER_CODE", "HANDOVER_CODE_LOCKED", "STALE", "NOT_FOUND"],
});
