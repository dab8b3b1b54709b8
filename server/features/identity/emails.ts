import type { EmailContent } from "../../email/email-queue.ts";

/** Greets nobody by name, because anyone may have signed up with this address and any name. */
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
