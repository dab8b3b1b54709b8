import { transact } from "../../db/database.ts";
import type { Deps } from "../../deps.ts";
import { listAdmins } from "../../email/list-admins.ts";
import { needsYouEmail } from "./emails.ts";
import { listNeedsYou } from "./list-needs-you.ts";

/** Job `mailNeedsYou`, once a day: tells all admins what waits for them, if anything does. */
export async function mailNeedsYou(deps: Deps): Promise<void> {
  const { config, db, emailQueue } = deps;
  const items = await listNeedsYou(deps);
  if (items.length === 0) return;
  const url = `${config.publicUrl}/dashboard/needsYou`;
  await transact(db, "mailNeedsYou", async (tx) => {
    for (const admin of await listAdmins(tx))
      await emailQueue.add(tx, { kind: "payment", ...needsYouEmail(admin, { items, url }) });
  });
}
