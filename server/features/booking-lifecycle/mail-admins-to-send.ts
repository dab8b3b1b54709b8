import type { Tx } from "../../db/database.ts";
import type { Deps } from "../../deps.ts";
import { listAdmins } from "../../email/list-admins.ts";
import { refundToSendEmail } from "./emails.ts";

type Unsent = { transactionId: string; cents: number };

/** Tells all admins of a refund that the buyer's card didn't take. */
export async function mailAdminsToSend(
  tx: Tx,
  { config, emailQueue }: Deps,
  { transactionId, cents }: Unsent,
): Promise<void> {
  const url = `${config.publicUrl}/dashboard/payments?search=${transactionId}`;
  for (const admin of await listAdmins(tx))
    await emailQueue.add(tx, { kind: "payment", ...refundToSendEmail(admin, { cents, url }) });
}
