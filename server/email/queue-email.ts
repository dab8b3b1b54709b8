import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Clock } from "../clock.ts";
import type { CurrentShop } from "../current-shop.ts";
import { insertTogether, type Tx } from "../db/database.ts";
import { insertJob } from "../jobs/job-queue.ts";
import type { EmailKind, EmailQueue, NewEmail } from "./email.ts";
import { renderEmail } from "./email-layout.ts";

type EmailLimit = { max: number; hours: number; kinds: EmailKind[] };

const sharedLimit: EmailKind[] = ["invitation", "hold", "payment"];

/** An email is queued only if its recipient got fewer than `max` of `kinds` in the last `hours`. */
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
  shop: Pick<CurrentShop, "get">;
  /** If false, no email limits apply. */
  rateLimit: boolean;
  warn(fields: { mail: EmailKind }, message: string): void;
};

export function createEmailQueue({ clock, shop, rateLimit, warn }: Settings): EmailQueue {
  return {
    async add(tx, ...emails) {
      const at = clock.now();
      const recipients = await readRecipients(tx, emails, at);
      const queued = emails.filter((email, index) => mayQueue(email, recipients[index]));
      const inserts = queued.flatMap(({ kind, onlyWhile, ...content }) => [
        insertJob(tx, "sendMail", { payload: { ...renderEmail(content, shop.get()), onlyWhile } }),
        ...(rateLimit ? [countEmail(tx, { kind, to: content.to, at })] : []),
      ]);
      if (inserts.length > 0) await insertTogether(tx, inserts);
      return queued.length > 0;
    },
  };

  /**
   * Whether to queue an email. Unconfirmed members get only confirmation and reset links.
   * Non-members also get invitations.
   */
  function mayQueue({ kind }: NewEmail, recipient: Recipient | undefined): boolean {
    const isForAnyone = kind === "confirmation" || kind === "reset";
    if (!isForAnyone && !(recipient?.confirmed ?? kind === "invitation")) return false;
    if (!rateLimit || Number(recipient?.queued) < limits[kind].max) return true;
    warn({ mail: kind }, "email not queued: the recipient has reached its limit");
    return false;
  }
}

/** `confirmed` is null for non-members. `queued` counts emails toward the limit. */
type Recipient = { confirmed: boolean | null; queued: string };

/** Takes no lock, so payments never wait. Concurrent transactions may together exceed a limit. */
async function readRecipients(tx: Tx, emails: NewEmail[], at: Date): Promise<Recipient[]> {
  const asked = emails.map(({ kind, to }) => ({
    address: to,
    hash: hashRecipient(to),
    kinds: limits[kind].kinds,
    since: new Date(at.getTime() - limits[kind].hours * 3_600_000),
  }));
  const { rows } = await sql<Recipient>`
    select
      (select confirmed_at is not null from members where email = address
        order by deleted_at desc nulls first limit 1) as confirmed,
      (select count(*) from queued_emails where recipient_hash = hash
        and kind in (select jsonb_array_elements_text(kinds)) and queued_at > since) as queued
    from rows from (jsonb_to_recordset(${JSON.stringify(asked)})
      as (address text, hash text, kinds jsonb, since timestamptz)) with ordinality
      as asked (address, hash, kinds, since, position)
    order by position`.execute(tx);
  return rows;
}

function countEmail(tx: Tx, { kind, to, at }: { kind: EmailKind; to: string; at: Date }) {
  const row = { recipient_hash: hashRecipient(to), kind, queued_at: at };
  return tx.insertInto("queued_emails").values(row);
}

function hashRecipient(to: string): string {
  return createHash("sha256").update(to).digest("base64url");
}
