import type { Tx } from "../../db/database.ts";
import type { Deps } from "../../deps.ts";
import { complaintTimes } from "../deals/complaint-times.ts";
import { listAdmins } from "../staff/change-staff-role.ts";
import { complaintToDecideEmail, overdueDecisionEmail } from "./emails.ts";

/** Hands an unsettled complaint to the admins for a decision. Emails owners and support, once. */
export async function askAdminsToDecide(tx: Tx, deps: Deps, bookingId: string): Promise<void> {
  const { clock, config, emailQueue } = deps;
  const complaint = await tx
    .updateTable("complaints")
    .set({ admins_asked_at: clock.now() })
    .where("booking_id", "=", bookingId)
    .where("admins_asked_at", "is", null)
    .returningAll()
    .executeTakeFirst();
  if (!complaint) return;
  const { decideBy, refundAt } = complaintTimes(complaint, config.settlement);
  const about = { url: complaintUrl(deps, bookingId), decideBy, refundAt };
  for (const admin of await listAdmins(tx, "support"))
    await emailQueue.add(tx, { kind: "payment", ...complaintToDecideEmail(admin, about) });
}

/** Tells owners and support by email that the time to decide a complaint has ended. */
export async function remindAdminsToDecide(
  tx: Tx,
  deps: Deps,
  { bookingId, refundAt }: { bookingId: string; refundAt: Date },
): Promise<void> {
  await tx
    .updateTable("complaints")
    .set({ admins_reminded_at: deps.clock.now() })
    .where("booking_id", "=", bookingId)
    .execute();
  const about = { url: complaintUrl(deps, bookingId), refundAt };
  for (const admin of await listAdmins(tx, "support"))
    await deps.emailQueue.add(tx, { kind: "payment", ...overdueDecisionEmail(admin, about) });
}

function complaintUrl({ config }: Deps, bookingId: string): string {
  return `${config.publicUrl}/dashboard/complaint/${bookingId}`;
}
