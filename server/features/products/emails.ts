import type { EmailContent } from "../../email/email-queue.ts";
import { quoteListing } from "../../email/email-texts.ts";

/** `reason`: the admin's own words, quoted in the email. */
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
