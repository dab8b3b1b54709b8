import type { EmailContent } from "../../adapters/mail/port.ts";

/** The seller disagrees with a complaint. */
export function complaintToDecideEmail(
  admin: { name: string; email: string },
  url: string,
): EmailContent {
  return {
    to: admin.email,
    subject: "A complaint needs your decision",
    paragraphs: [
      `Hi ${admin.name},`,
      "A buyer says that something is wrong with a laptop, and the seller disagrees. Please read what both have written and decide who gets the money. Without a decision the buyer gets it back in the end.",
    ],
    action: { label: "View the complaint", url },
  };
}
