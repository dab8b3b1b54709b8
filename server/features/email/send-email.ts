import type { Mail } from "../../adapters/mail/port.ts";
import type { Tx } from "../../db/database.ts";
import type { BookingCondition, QueuedEmail } from "../../db/job-queue.ts";

/**
 * Job `sendMail`: sends a queued email. Drops it if its booking has left the states it was written for; an
 * email may have waited days for the SMTP server.
 */
export async function sendQueuedEmail(
  { db, mail }: { db: Tx; mail: Mail },
  { onlyWhile, ...email }: QueuedEmail,
): Promise<void> {
  if (!onlyWhile || (await isStillTrue(db, onlyWhile))) await mail.send(email);
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
