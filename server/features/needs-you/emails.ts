import type { NeedsYouItem } from "#contract/needs-you.ts";
import { needsYouText } from "#contract/needs-you-texts.ts";
import type { EmailContent } from "../../email/email-queue.ts";
import { formatDay } from "../../email/format-day.ts";
import { nameFirst } from "../../email/name-first.ts";

/** What waits for the admins today. */
export function needsYouEmail(
  admin: { name: string; email: string },
  { items, url }: { items: NeedsYouItem[]; url: string },
): EmailContent {
  const deadline = items[0]?.deadline;
  const things = items.length === 1 ? "One thing needs" : `${items.length} things need`;
  const by = deadline ? `, the first by ${formatDay(new Date(deadline))}` : "";
  const lines = nameFirst(items.map(lineAbout));
  return {
    to: admin.email,
    subject: `${things} you${by}`,
    paragraphs: [`Hi ${admin.name},`, ...lines],
    action: { label: "See what needs you", url },
    actionAfter: 1 + lines.length,
  };
}

/** The id at the card provider: a laptop's name is text from a member. */
function lineAbout(item: NeedsYouItem): string {
  const by = item.deadline ? ` By ${formatDay(new Date(item.deadline))}.` : "";
  return `${needsYouText(item)}${by} ${item.transactionId ?? ""}`.trim();
}
