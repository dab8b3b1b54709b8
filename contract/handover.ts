import { z } from "zod";
import { call, id, modified } from "./call.ts";

/** Wrong codes a seller may enter before the buyer has to show a new one. */
export const maxWrongHandoverCodes = 5;

const code = z
  .string("Hand-over code is required.")
  .transform((typed) => typed.replaceAll(/[\s-]/g, ""))
  .pipe(z.string().regex(/^\d{6}$/, "Enter the six digits that the buyer shows you."));

/** What the seller's form asks for. */
export const handoverCodeForm = z.object({ code });

export const confirmHandover = call({
  method: "PUT",
  path: "/bookingProducts/handover",
  access: "buyer",
  summary: "Confirm that you have received a laptop you paid for",
  changes: ["bookings"],
  body: z.object({ id }),
  limit: { most: 60, minutes: 60 },
  answers: { 200: modified },
  refusals: ["STALE", "NOT_FOUND"],
});

export const issueHandoverCode = call({
  method: "POST",
  path: "/bookingProducts/handoverCode",
  access: "buyer",
  summary:
    "Issue the code to show the seller when you have received a laptop you paid for; an earlier one no longer works",
  changes: ["bookings"],
  body: z.object({ id }),
  limit: { most: 30, minutes: 60 },
  secretAnswer: true,
  answers: { 201: z.object({ code: z.string() }) },
  refusals: ["STALE", "NOT_FOUND"],
});

export const confirmHandoverByCode = call({
  method: "PUT",
  path: "/bookingProducts/handoverCode",
  access: "seller",
  summary: "Confirm that you have handed a laptop over, by the code its buyer shows you",
  changes: ["bookings"],
  body: z.object({ id, code }),
  limit: { most: 60, minutes: 60 },
  answers: { 200: modified },
  refusals: ["WRONG_HANDOVER_CODE", "HANDOVER_CODE_LOCKED", "STALE", "NOT_FOUND"],
});
