import type { Tx } from "../../db/database.ts";
import type { Deps } from "../../deps.ts";
import { listAdmins } from "../booking-lifecycle/list-admins.ts";
import { complaintToDecideEmail } from "../email/complaint-emails.ts";

/** Tells all admins about a complaint that the two sides can't agree on. */
export async function askAdminsToDecide(
  tx: Tx,
  { config, emailQueue }: Deps,
  bookingId: string,
): Promise<void> {
  const url = `${config.publicUrl}/dashboard/complaint/${bookingId}`;
  for (const admin of await listAdmins(tx))
    await emailQueue.add(tx, { kind: "payment", ...complaintToDecideEmail(admin, url) });
}
