import type { EmailContent } from "../../email/email.ts";

export function invitationEmail(
  to: string,
  { signUp, unsubscribe, offer }: { signUp: string; unsubscribe: string; offer: string },
): EmailContent {
  return {
    to,
    name: "friend-invitation",
    paragraphs: [
      `Hello, a friend of yours thinks you'd like {shop}, where people sell each other used laptops. You can put one on hold while you decide, then pay for it by card. Sign up with this link within 30 days, and you get ${offer}.`,
      "Not interested? Just ignore this email. We won't invite you again. If you don't want invitations at all, unsubscribe below.",
    ],
    action: { label: "Take a look", url: signUp },
    unsubscribeUrl: unsubscribe,
  };
}

type Waiting = {
  invitations: number;
  /** How many of these invitations delay a seller's payout. */
  payouts: number;
  url: string;
};

export function invitationsToCheckEmail(
  admin: { name: string; email: string },
  { invitations, payouts, url }: Waiting,
): EmailContent {
  const one = invitations === 1;
  return {
    to: admin.email,
    recipient: admin.name,
    subject: one
      ? "An invitation needs your decision"
      : `${invitations} invitations need your decision`,
    paragraphs: [
      `${one ? "An invitation is" : `${invitations} invitations are`} waiting for you: ${one ? "it" : "each"} may be between two accounts of one person, or its reward is over what the shop gives in a month. Nothing is given until you decide.${payoutText(payouts)}`,
      "You get this email once a day at most.",
    ],
    action: { label: "View invitations", url },
  };
}

function payoutText(payouts: number): string {
  if (payouts === 0) return "";
  return payouts === 1
    ? " A seller isn't paid until you do."
    : ` ${payouts} sellers aren't paid until you do.`;
}
