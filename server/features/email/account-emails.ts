import type { EmailContent } from "../../email/email-queue.ts";
import { quoteListing } from "./booking-emails.ts";

/*
 * Emails about an account have no greeting by name: anyone may have signed up with this address and any name.
 */

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

export function passwordResetEmail(to: string, url: string): EmailContent {
  return {
    to,
    subject: "Set a new password for Secondlap",
    paragraphs: [
      "Someone asked to set a new password for the Secondlap account with this email address. If that was you, follow the link. It works once, within an hour.",
      "If it wasn't you, just ignore this email. Your password stays the same.",
    ],
    action: { label: "Set a new password", url },
  };
}

export function invitationEmail(
  to: string,
  { signUp, unsubscribe, offer }: { signUp: string; unsubscribe: string; offer: string },
): EmailContent {
  return {
    to,
    subject: "You're invited to Secondlap",
    paragraphs: [
      `Hello, a friend of yours thinks you'd like Secondlap, where people sell each other used laptops. You can put one on hold while you decide, then pay for it by card. Sign up with this link within 30 days, and you get ${offer}.`,
      "Not interested? Just ignore this email. We won't invite you again. If you don't want invitations at all, unsubscribe below.",
    ],
    action: { label: "Take a look", url: signUp },
    unsubscribeUrl: unsubscribe,
  };
}

/** `reason`: as the admin wrote it. */
export function takenDownEmail(
  seller: { name: string; email: string },
  { name, reason, url }: { name: string; reason: string; url: string },
): EmailContent {
  return {
    to: seller.email,
    subject: "We took down one of your listings",
    paragraphs: [
      `Hi ${seller.name},`,
      "We took down one of your listings, so nobody can see or book it any more. This is why:",
      `“${reason}”`,
      ...quoteListing(name),
      "You can list the laptop again once that is put right. If you think this is a mistake, write to our support team.",
    ],
    action: { label: "View My Products", url },
    actionAfter: 4,
  };
}
