import { createHash } from "node:crypto";
import type { EmailKind, QueueEmail } from "../../adapters/mail/port.ts";
import type { Clock } from "../../clock.ts";
import type { Tx } from "../../db/database.ts";
import { enqueue } from "../../db/job-queue.ts";
import { renderEmail } from "./email-layout.ts";

type EmailLimit = { max: number; hours: number; kinds: EmailKind[] };

const sharedLimit: EmailKind[] = ["invitation", "hold", "payment"];

/** One more email of a kind is queued while fewer than `max` of `kinds` were queued in the last `hours`. */
const limits: Record<EmailKind, EmailLimit> = {
  confirmation: { max: 5, hours: 24, kinds: ["confirmation"] },
  // Six hours, so that a stranger's requests can't block the owner's reset for a whole day.
  reset: { max: 5, hours: 6, kinds: ["reset"] },
  invitation: { max: 20, hours: 24, kinds: sharedLimit },
  hold: { max: 20, hours: 24, kinds: sharedLimit },
  payment: { max: 50, hours: 24, kinds: sharedLimit },
};

type Settings = {
  clock: Clock;
  /** False: no address has a limit. */
  rateLimit: boolean;
  warn(fields: { mail: EmailKind }, message: string): void;
};

export function createEmailQueue({ clock, rateLimit, warn }: Settings): QueueEmail {
  return async (tx, { kind, onlyWhile, ...content }) => {
    const { to } = content;
    if (!(await mayReceive(tx, kind, to))) return false;
    if (rateLimit && !(await countEmail(tx, { kind, to, at: clock.now() }))) {
      warn({ mail: kind }, "email not queued: the recipient has reached its limit");
      return false;
    }
    await enqueue(tx, "sendMail", { payload: { ...renderEmail(content), onlyWhile } });
    return true;
  };
}

/** Unconfirmed addresses get confirmation and reset links only; invitations go only to non-members. */
async function mayReceive(tx: Tx, kind: EmailKind, to: string): Promise<boolean> {
  if (kind === "confirmation" || kind === "reset") return true;
  const member = await tx
    .selectFrom("members")
    .select("confirmed_at")
    .where("email", "=", to)
    .orderBy("deleted_at", (by) => by.desc().nullsFirst())
    .limit(1)
    .executeTakeFirst();
  return member ? member.confirmed_at !== null : kind === "invitation";
}

type Recipient = { kind: EmailKind; to: string; at: Date };

/**
 * Counts one email. Returns false at the limit. Takes no lock: concurrent transactions may exceed the limit
 * by one each, which is better than making payments wait.
 */
async function countEmail(tx: Tx, { kind, to, at }: Recipient): Promise<boolean> {
  const { max, hours, kinds } = limits[kind];
  const recipient_hash = createHash("sha256").update(to).digest("base64url");
  const { queued } = await tx
    .selectFrom("queued_emails")
    .select(({ fn }) => fn.countAll<string>().as("queued"))
    .where("recipient_hash", "=", recipient_hash)
    .where("kind", "in", kinds)
    .where("queued_at", ">", new Date(at.getTime() - hours * 3_600_000))
    .executeTakeFirstOrThrow();
  if (Number(queued) >= max) return false;
  await tx.insertInto("queued_emails").values({ recipient_hash, kind, queued_at: at }).execute();
  return true;
}
