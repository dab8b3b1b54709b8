import { hasAddress } from "#contract/text.ts";
import type { EmailContent } from "../../email/email-queue.ts";
import { nameOf } from "../../email/email-texts.ts";

type Unread = { laptop: string | null; unread: number; url: string; unsubscribeUrl: string };

/** The email contains neither the sender's name nor the text of the messages. */
export function messagesEmail(
  { name, email }: { name: string; email: string },
  { laptop, unread, url, unsubscribeUrl }: Unread,
): EmailContent {
  const about = laptop === null || hasAddress(laptop) ? "a laptop" : laptop;
  const news = unread === 1 ? "a new message" : `${unread} new messages`;
  return {
    to: email,
    subject: `You have ${news} about ${about}`,
    paragraphs: [
      `Hi ${name},`,
      `You have ${news} about ${laptop === null ? "a laptop" : nameOf(laptop)}. Read and answer on Secondlap.`,
    ],
    action: { label: "Read messages", url },
    actionAfter: 2,
    unsubscribeUrl,
    unsubscribeLabel: "Stop emails about messages",
  };
}
