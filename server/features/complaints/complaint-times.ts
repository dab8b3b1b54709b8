import type { SettlementTerms } from "../../settings/fee-and-times.ts";

const after = (start: Date, milliseconds: number) => new Date(start.getTime() + milliseconds);

type OpenComplaint = {
  opened_at: Date;
  answer: "refund" | "offer" | "disagree" | null;
  answered_at: Date | null;
  admins_asked_at: Date | null;
};

/**
 * At `adminsFrom`, the admins are asked to decide. At `refundAt`, an undecided complaint is decided
 * for the buyer. The buyer has as much time to accept an offer as the seller has to answer.
 */
export function complaintTimes(complaint: OpenComplaint, terms: SettlementTerms) {
  const { opened_at, answer, answered_at, admins_asked_at } = complaint;
  const answerBy = after(opened_at, terms.answerMs);
  const offeredUntil = answer === "offer" && answered_at && after(answered_at, terms.answerMs);
  const adminsFrom = admins_asked_at ?? later(answerBy, offeredUntil || answerBy);
  const refundAt = after(opened_at, terms.undecidedMs);
  const decideBy = earlier(after(adminsFrom, terms.decisionMs), refundAt);
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
