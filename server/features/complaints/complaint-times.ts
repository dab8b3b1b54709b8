import { sql } from "kysely";
import type { SettlementTerms } from "../../settings/deal-fee-and-times.ts";
import { lostCentsOf } from "../money/dispute-checks.ts";

const after = (start: Date, milliseconds: number) => new Date(start.getTime() + milliseconds);

/**
 * Returns when the complaint window ends. `termsOfHold` fixes its length when the hold begins. The
 * default, 72 hours, is in `server/settings/deal-fee-and-times.ts`.
 */
export function complaintUntil(handedOverAt: Date, agreed: { complaint_minutes: number }): Date {
  return after(handedOverAt, agreed.complaint_minutes * 60_000);
}

/**
 * SQL on `complaints`: since when admins have had time to decide. The time starts again when a
 * dispute or bank inquiry ends, because deadlines wait during one. It doesn't if the bank gave the
 * whole payment back to the buyer.
 */
export const decidableSince = sql<Date>`greatest(complaints.opened_at, (
  select max(d.closed_at) from disputes d join payments p on p.id = d.payment_id
  where p.booking_id = complaints.booking_id and ${lostCentsOf(sql.ref("p.id"))} < p.amount_cents))`;

type OpenComplaint = {
  opened_at: Date;
  /** From `decidableSince`. */
  decidable_since: Date;
  answer: "refund" | "offer" | "disagree" | null;
  answered_at: Date | null;
  admins_asked_at: Date | null;
};

/**
 * At `adminsFrom`, the admins are asked to decide. At `refundAt`, an undecided complaint is decided
 * for the buyer. The buyer has as much time to accept an offer as the seller has to answer.
 */
export function complaintTimes(complaint: OpenComplaint, terms: SettlementTerms) {
  const { opened_at, decidable_since, answer, answered_at, admins_asked_at } = complaint;
  const answerBy = after(opened_at, terms.answerMs);
  const offeredUntil = answer === "offer" && answered_at && after(answered_at, terms.answerMs);
  const adminsFrom = admins_asked_at ?? later(answerBy, offeredUntil || answerBy);
  const refundAt = after(decidable_since, terms.undecidedMs);
  const decideBy = earlier(after(later(adminsFrom, decidable_since), terms.decisionMs), refundAt);
  return {
    remindSellerAt: after(answerBy, -terms.answerReminderMs),
    answerBy,
    adminsFrom,
    decideBy,
    refundAt,
  };
}

const later = (one: Date, other: Date) => (one > other ? one : other);
const earlier = (one: Date, other: Date) => (one < other ? one : other);
