import type { EmailContent } from "../../email/email-queue.ts";
import { formatDay } from "../../email/format-day.ts";

type Waiting = {
  invitations: number;
  /** Of which so many keep a seller from being paid, and until when at the latest the first of them does. */
  payouts: number;
  decideBy: Date | null;
  url: string;
};

/** Invitations, or rewards of them, that an admin has to decide about. */
export function invitationsToCheckEmail(
  admin: { name: string; email: string },
  { invitations, payouts, decideBy, url }: Waiting,
): EmailContent {
  const one = invitations === 1;
  return {
    to: admin.email,
    subject: one
      ? "An invitation needs your decision"
      : `${invitations} invitations need your decision`,
    paragraphs: [
      `Hi ${admin.name},`,
      `${one ? "An invitation is" : `${invitations} invitations are`} waiting for you: ${one ? "it" : "each"} may be between two accounts of one person, or its reward is over what the shop gives in a month. Nothing is given until you decide.${payoutText(payouts, decideBy)}`,
      "You get this email once a day at most.",
    ],
    action: { label: "View invitations", url },
    actionAfter: 2,
  };
}

function payoutText(payouts: number, decideBy: Date | null): string {
  if (payouts === 0 || decideBy === null) return "";
  const sellers = payouts === 1 ? "A seller isn't" : `${payouts} sellers aren't`;
  const first = payouts === 1 ? "the seller" : "the first of them";
  return ` ${sellers} paid until you do. If nobody has decided by ${formatDay(decideBy)}, ${first} gets the full price.`;
}
