import { EmailRejected, type Mail } from "../adapters/mail/port.ts";
import type { Clock } from "../clock.ts";
import type { Tx } from "../db/database.ts";
import { recordAudit } from "../db/record-audit.ts";
import { currentRequestId } from "../db/request-id.ts";
import type { BookingCondition, QueuedEmail } from "./email.ts";
import { isUnsubscribed } from "./opt-outs.ts";

type Needs = { db: Tx; mail: Mail; clock: Clock };

/**
 * Drops an email whose booking has left the states of `onlyWhile`, whose recipient has
 * unsubscribed, or that the server rejects for good. Throws other errors, so that the job is
 * retried (server/jobs/job-queue.ts).
 */
export async function sendQueuedEmail(
  { db, mail, clock }: Needs,
  { onlyWhile, ...email }: QueuedEmail,
): Promise<void> {
  if (onlyWhile && !(await isStillTrue(db, onlyWhile))) return;
  const { unsubscribeUrl } = email;
  if (unsubscribeUrl !== undefined && (await isUnsubscribed(db, unsubscribeUrl))) return;
  try {
    await mail.send({ ...email, requestId: currentRequestId() });
  } catch (error) {
    if (!(error instanceof EmailRejected)) throw error;
    await recordRejection(db, { at: clock.now(), ...email, reply: error.reply });
  }
}

type Rejection = { at: Date; to: string; subject: string; reply: string };

/** Adds an entry to the audit log for admins, if the recipient is a member. */
async function recordRejection(db: Tx, { at, to, subject, reply }: Rejection): Promise<void> {
  const member = await db
    .selectFrom("members")
    .select("id")
    .where("email", "=", to)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  if (!member) return;
  const reason = reply.replaceAll(/[^\s<>"]+@[^\s<>"]+/g, "[address]").slice(0, 300);
  const about = { object: "member", objectId: member.id, detail: { subject, reason } } as const;
  await recordAudit(db, { at, actor: null, verb: "reject email", ...about });
}

async function isStillTrue(db: Tx, { bookingId, states }: BookingCondition): Promise<boolean> {
  const booking = await db
    .selectFrom("bookings")
    .select("id")
    .where("id", "=", bookingId)
    .where("state", "in", states)
    .executeTakeFirst();
  return booking !== undefined;
}
