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
