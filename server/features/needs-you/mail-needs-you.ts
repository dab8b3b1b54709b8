import { maxCounted, type NeedsYouItem, needsYouReasonsFor } from "#contract/needs-you.ts";
import { needsYouText } from "#contract/needs-you-texts.ts";
import { mayAct } from "#contract/roles.ts";
import { transact } from "../../db/database.ts";
import type { Deps } from "../../deps.ts";
import { addressedTo, type EmailMessage } from "../../email/email.ts";
import { formatDay, nameFirst } from "../../email/email-phrases.ts";
import { listAdmins } from "../staff/change-staff-role.ts";
import { countQueues, listNeedsYou } from "./list-needs-you.ts";

/** Job `mailNeedsYou`, once a day: emails each admin the items that their role can act on. */
export async function mailNeedsYou(deps: Deps): Promise<void> {
  const { config, db, emailQueue } = deps;
  const all = await listNeedsYou({ ...deps, role: "owner" });
  const queues = await countQueues(db);
  if (all.length + queues.invitations === 0) return;
  const url = `${config.publicUrl}/dashboard/needsYou`;
  await transact(db, "mailNeedsYou", async (tx) => {
    for (const admin of await listAdmins(tx)) {
      const reasons = needsYouReasonsFor(admin.role);
      const items = all.filter(({ reason }) => reasons.includes(reason));
      const invitations = mayAct(admin.role, "moderation") ? queues.invitations : 0;
      if (items.length + invitations === 0) continue;
      const email = needsYouEmail({ items, invitations, url });
      await emailQueue.add(tx, { kind: "payment", ...addressedTo(admin), ...email });
    }
  });
}

type Waiting = { items: NeedsYouItem[]; invitations: number; url: string };

function needsYouEmail({ items, invitations, url }: Waiting): EmailMessage {
  const deadline = items[0]?.deadline;
  const count = items.length + invitations;
  const things = count === 1 ? "One thing needs" : `${count} things need`;
  const by = deadline ? `, the first by ${formatDay(new Date(deadline))}` : "";
  const lines = [...nameFirst(items.map(lineAbout)), ...linesAbout(invitations)];
  return {
    subject: `${things} you${by}`,
    paragraphs: lines,
    action: { label: "See what needs you", url },
    actionAfter: lines.length,
  };
}

function linesAbout(invitations: number): string[] {
  if (invitations === 0) return [];
  const many = invitations < maxCounted ? `${invitations}` : `${maxCounted} or more`;
  const need = invitations === 1 ? "An invitation needs" : `${many} invitations need`;
  return [`${need} your decision. Nothing is given until you decide.`];
}

/** Shows the provider's id, not the laptop's name, which is untrusted text from a member. */
function lineAbout(item: NeedsYouItem): string {
  const by = item.deadline ? ` By ${formatDay(new Date(item.deadline))}.` : "";
  return `${needsYouText(item)}${by} ${item.transactionId ?? ""}`.trim();
}
