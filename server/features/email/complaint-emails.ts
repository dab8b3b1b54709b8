import type { EmailContent } from "../../email/email-queue.ts";
import { formatDay } from "../../email/format-day.ts";

type Admin = { name: string; email: string };

/** The seller disagrees with a complaint or hasn't answered, or the buyer hasn't accepted an offer. */
export function complaintToDecideEmail(
  admin: Admin,
  { url, decideBy, refundAt }: { url: string; decideBy: Date; refundAt: Date },
): EmailContent {
  return {
    to: admin.email,
    subject: "A complaint needs your decision",
    paragraphs: [
      `Hi ${admin.name},`,
      `A buyer says that something is wrong with a laptop, and buyer and seller haven't settled it. Please read what they have written and decide by ${formatDay(decideBy)} who gets the money. If nobody has decided by ${formatDay(refundAt)}, the buyer gets it back.`,
    ],
    action: { label: "View the complaint", url },
    actionAfter: 2,
  };
}

/** The admins' time to decide is over. */
export function overdueDecisionEmail(
  admin: Admin,
  { url, refundAt }: { url: string; refundAt: Date },
): EmailContent {
  return {
    to: admin.email,
    subject: "A complaint is overdue",
    paragraphs: [
      `Hi ${admin.name},`,
      `A complaint has waited for your decision for more than seven days, and both sides wait for the money. If nobody decides by ${formatDay(refundAt)}, the buyer gets all of it back, whatever the seller says.`,
    ],
    action: { label: "Decide now", url },
    actionAfter: 2,
  };
}
