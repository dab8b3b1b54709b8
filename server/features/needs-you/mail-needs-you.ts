import { type NeedsYouItem, needsYouReasonsFor } from "#contract/needs-you.ts";
import { needsYouText } from "#contract/needs-you-texts.ts";
import { transact } from "../../db/database.ts";
import type { Deps } from "../../deps.ts";
import type { EmailContent } from "../../email/email.ts";
import { formatDay, nameFirst } from "../../email/email-phrases.ts";
import { listAdmins } from "../staff/change-staff-role.ts";
import { listNeedsYou } from "./list-needs-you.ts";

/** Job `mailNeedsYou`, once a day: emails each admin the items that their role can act on. */
export async function mailNeedsYou(deps: Deps): Promise<void> {
  const { config, db, emailQueue } = deps;
  const all = await listNeedsYou({ ...deps, role: "owner" });
  if (all.length === 0) return;
  const url = `${config.publicUrl}/dashboard/needsYou`;
  await transact(db, "mailNeedsYou", async (tx) => {
    for (const admin of await listAdmins(tx)) {
      const reasons = needsYouReasonsFor(admin.role);
      const items = all.filter(({ reason }) => reasons.includes(reason));
      if (items.length > 0)
        await emailQueue.add(tx, { kind: "payment", ...needsYouEmail(admin, { items, url }) });
    }
  });
}

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
    recipient: admin.name,
    subject: `${things} you${by}`,
    paragraphs: lines,
    action: { label: "See what needs you", url },
    actionAfter: lines.length,
  };
}

/** Shows the provider's id, not the laptop's name, which is untrusted text from a member. */
function lineAbout(item: NeedsYouItem): string {
  const by = item.deadline ? ` By ${formatDay(new Date(item.deadline))}.` : "";
  return `${needsYouText(item)}${by} ${item.transactionId ?? ""}`.trim();
}
