import { z } from "zod";
import { call, id, inserted, modified } from "./call.ts";

export const refundBooking = call("POST /refunds", {
  access: "finance",
  summary:
    "Refund a paid booking before its handover and relist the laptop, or retry a failed refund, even a partial one",
  changes: ["payments", "bookings", "products"],
  /** With `retry`, only the failed refund of this payment is tried again. */
  body: z.object({ bookingId: id, retry: id.optional() }),
  limit: { max: 60, minutes: 10 },
  answers: { 201: inserted, 200: inserted },
  refusals: ["STALE", "NOT_FOUND"],
});

export const settleRefund = call("PUT /refunds", {
  access: "finance",
  summary: "Mark a failed refund, even a partial one, as sent to the buyer another way",
  changes: ["payments", "bookings"],
  body: z.object({ paymentId: id }),
  limit: { max: 60, minutes: 10 },
  answers: { 200: modified },
  refusals: ["STALE", "NOT_FOUND"],
});
