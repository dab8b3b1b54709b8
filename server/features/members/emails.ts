import type { EmailContent } from "../../email/email-queue.ts";

/** Doesn't greet by name: anyone could have signed up with someone else's address and any name. */
export function confirmationEmail(to: string, url: string): EmailContent {
  return {
    to,
    subject: "Confirm your email address",
    paragraphs: [
      "Thanks for joining Secondlap. Please confirm that this is your email address. The link works for 24 hours.",
      "If you didn't sign up for Secondlap, please ignore this email and don't confirm: someone may have entered your address by mistake, and they know the password of that account.",
    ],
    action: { label: "Confirm my email address", url },
  };
}
