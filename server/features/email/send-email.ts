import { createHash } from "node:crypto";
import type { Mail } from "../../adapters/mail/port.ts";
import type { Clock } from "../../clock.ts";
import type { Tx } from "../../db/database.ts";
import { type BookingCondition, enqueue, type QueuedEmail } from "../../db/job-queue.ts";

/** Of a deal, `hold` costs nobody anything and `payment` is about money. */
export type EmailKind = "confirmation" | "reset" | "invitation" | "hold" | "payment";

/**
 * Leaves a mail to be sent once the transaction is committed, and never if it is not (decision 0009).
 * Answers whether it did: to an address nobody has confirmed goes only what lets its owner confirm it or
 * choose a password, an invitation only where nobody has an account, and no address gets more than its
 * share (decision 0023).
 */
export type QueueEmail = (tx: Tx, mail: QueuedEmail & { kind: EmailKind }) => Promise<boolean>;

type Share = { most: number; hours: number; of: EmailKind[] };

const others: EmailKind[] = ["invitation", "hold", "payment"];

/** How many mails of these kinds an address has had, at most, for one more to go there. */
const shares: Record<EmailKind, Share> = {
  confirmation: { most: 5, hours: 24, of: ["confirmation"] },
  // Six hours: whoever asks in the owner's name keeps them from a new link no longer than that.
  reset: { most: 5, hours: 6, of: ["reset"] },
  invitation: { most: 20, hours: 24, of: others },
  hold: { most: 20, hours: 24, of: others },
  payment: { most: 50, hours: 24, of: others },
};

type Settings = {
  clock: Clock;
  /** Off, no address has a share. */
  rateLimit: boolean;
  warn(what: { mail: EmailKind }, message: string): void;
};

export function createEmailQueue({ clock, rateLimit, warn }: Settings): QueueEmail {
  return async (tx, { kind, ...letter }) => {
    if (!(await mayReceive(tx, kind, letter.to))) return false;
    if (rateLimit && !(await takeShare(tx, { kind, to: letter.to, at: clock.now() }))) {
      warn({ mail: kind }, "mail not queued: its recipient has had the day's share");
      return false;
    }
    await enqueue(tx, "sendMail", { payload: letter });
    return true;
  };
}

async function mayReceive(tx: Tx, kind: EmailKind, to: string): Promise<boolean> {
  if (kind === "confirmation" || kind === "reset") return true;
  const owner = await tx
    .selectFrom("members")
    .select("confirmed_at")
    .where("email", "=", to)
    .orderBy("deleted_at", (by) => by.desc().nullsFirst())
    .limit(1)
    .executeTakeFirst();
  return owner ? owner.confirmed_at !== null : kind === "invitation";
}

type Asked = { kind: EmailKind; to: string; at: Date };

/** Two transactions at once may each take the last one: no mail is worth making deals wait for each other. */
async function takeShare(tx: Tx, { kind, to, at }: Asked): Promise<boolean> {
  const { most, hours, of } = shares[kind];
  const recipient_hash = createHash("sha256").update(to).digest("base64url");
  const { queued } = await tx
    .selectFrom("queued_emails")
    .select(({ fn }) => fn.countAll<string>().as("queued"))
    .where("recipient_hash", "=", recipient_hash)
    .where("kind", "in", of)
    .where("queued_at", ">", new Date(at.getTime() - hours * 3_600_000))
    .executeTakeFirstOrThrow();
  if (Number(queued) >= most) return false;
  await tx.insertInto("queued_emails").values({ recipient_hash, kind, queued_at: at }).execute();
  return true;
}

/** Hands a letter over, unless what it says is no longer so: it may have waited days for a mail server. */
export async function sendQueuedEmail(
  { db, mail }: { db: Tx; mail: Mail },
  { onlyWhile, ...letter }: QueuedEmail,
): Promise<void> {
  if (!onlyWhile || (await stands(db, onlyWhile))) await mail.send(letter);
}

async function stands(db: Tx, { bookingId, states }: BookingCondition): Promise<boolean> {
  const booking = await db
    .selectFrom("bookings")
    .select("id")
    .where("id", "=", bookingId)
    .where("state", "in", states)
    .executeTakeFirst();
  return booking !== undefined;
}
