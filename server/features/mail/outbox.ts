import type { Tx } from "../../db/database.ts";
import { enqueue, type Post, type Standing } from "../../jobs.ts";
import type { Mail } from "../../ports/mail/port.ts";

/** Leaves a letter to be sent once the transaction is committed, and never if it is not (decision 0009). */
export async function postLetter(tx: Tx, post: Post): Promise<void> {
  await enqueue(tx, "sendMail", { payload: post });
}

/** Hands a letter over, unless what it says is no longer so: it may have waited days for a mail server. */
export async function sendLetter(
  { db, mail }: { db: Tx; mail: Mail },
  { onlyWhile, ...letter }: Post,
): Promise<void> {
  if (!onlyWhile || (await stands(db, onlyWhile))) await mail.send(letter);
}

async function stands(db: Tx, { bookingId, states }: Standing): Promise<boolean> {
  const booking = await db
    .selectFrom("bookings")
    .select("id")
    .where("id", "=", bookingId)
    .where("state", "in", states)
    .executeTakeFirst();
  return booking !== undefined;
}
