import { createHash } from "node:crypto";
import type { Clock } from "../clock.ts";
import type { Tx } from "../db/database.ts";
import { executeTogether } from "../db/execute-together.ts";
import { insertJob } from "../db/job-queue.ts";
import { renderEmail } from "./email-layout.ts";
import type { EmailKind, EmailQueue } from "./email-queue.ts";

type EmailLimit = { max: number; hours: number; kinds: EmailKind[] };

const sharedLimit: EmailKind[] = ["invitation", "hold", "payment"];

/** An email of a kind is queued if fewer than `max` of `kinds` were queued in the last `hours`. */
const limits: Record<EmailKind, EmailLimit> = {
  confirmation: { max: 5, hours: 24, kinds: ["confirmation"] },
  // Six hours, so that a stranger's requests can't block the owner's reset for a whole day.
  reset: { max: 5, hours: 6, kinds: ["reset"] },
  invitation: { max: 20, hours: 24, kinds: sharedLimit },
  hold: { max: 20, hours: 24, kinds: sharedLimit },
  payment: { max: 50, hours: 24, kinds: sharedLimit },
  moderation: { max: 20, hours: 24, kinds: ["moderation"] },
  alert: { max: 30, hours: 24, kinds: ["alert"] },
  message: { max: 50, hours: 24, kinds: ["message"] },
  meeting: { max: 30, hours: 24, kinds: ["meeting"] },
};

type Settings = {
  clock: Clock;
  /** If false, addresses have no limits. */
  rateLimit: boolean;
  warn(fields: { mail: EmailKind }, message: string): void;
};

export function createEmailQueue({ clock, rateLimit, warn }: Settings): EmailQueue {
  const queue: EmailQueue = {
    async add(tx, email) {
      const { kind, to } = email;
      const isConfirmed = await mayReceive(tx, kind, to);
      const recent = rateLimit && countQueuedEmails(tx, { kind, to, at: clock.now() });
      const queued = recent ? Number((await recent.executeTakeFirstOrThrow()).queued) : 0;
      const inserts = queue.inserts(tx, email, { isConfirmed, queued });
      if (inserts.length > 0) await executeTogether(tx, inserts);
      return inserts.length > 0;
    },
    inserts(tx, { kind, onlyWhile, ...content }, { isConfirmed, queued }) {
      if (!isConfirmed) return [];
      const insert = insertJob(tx, "sendMail", { payload: { ...renderEmail(content), onlyWhile } });
      if (!rateLimit) return [insert];
      if (queued < limits[kind].max) return [insert, countEmail(tx, kind, content.to)];
      warn({ mail: kind }, "email not queued: the recipient has reached its limit");
      return [];
    },
  };
  return queue;

  function countEmail(tx: Tx, kind: EmailKind, to: string) {
    const row = { recipient_hash: hashRecipient(to), kind, queued_at: clock.now() };
    return tx.insertInto("queued_emails").values(row);
  }
}

/** Unconfirmed members get only confirmation and reset links. Non-members also get invitations. */
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

/**
 * The query that counts an address's emails toward its limit. It takes no lock: concurrent
 * transactions may exceed the limit by one each, which is better than making payments wait.
 */
export function countQueuedEmails(
  tx: Tx,
  { kind, to, at }: { kind: EmailKind; to: string; at: Date },
) {
  const { hours, kinds } = limits[kind];
  return tx
    .selectFrom("queued_emails")
    .select(({ fn }) => fn.countAll<string>().as("queued"))
    .where("recipient_hash", "=", hashRecipient(to))
    .where("kind", "in", kinds)
    .where("queued_at", ">", new Date(at.getTime() - hours * 3_600_000));
}

function hashRecipient(to: string): string {
  return createHash("sha256").update(to).digest("base64url");
}
