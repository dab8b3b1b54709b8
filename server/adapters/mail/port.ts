import type { Tx } from "../../db/database.ts";
import type { Insert } from "../../db/execute-together.ts";
import type { BookingCondition } from "../../db/job-queue.ts";

/** An email to one address, as text and as HTML. */
export type Email = {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Of an email that isn't transactional: a POST to it, or a person who opens it, ends such emails (RFC 8058). */
  unsubscribeUrl?: string | undefined;
  /** An iCalendar file, attached. */
  calendar?: string | undefined;
  /** The id of the request or job that caused it, as in the log. */
  requestId?: string | undefined;
};

/**
 * Delivers emails. Features do not call it: they enqueue a `sendMail` job in their transaction, so that a
 * rollback sends nothing and a crash loses nothing.
 */
export type Mail = {
  /** The URL of an inbox that shows every email, if none is delivered to a mailbox. */
  inboxUrl: string | null;
  /** Passes an email to the mail server. Throws `EmailRejected`, or an error after which a retry may succeed. */
  send(email: Email): Promise<void>;
  /** Connects and logs in; throws if that fails. */
  check(): Promise<void>;
  close(): Promise<void>;
};

/** The mail server will never accept this email. `reply` says why, and may name the recipient. */
export class EmailRejected extends Error {
  readonly reply: string;

  constructor(reply: string) {
    super("The mail server rejected an email.");
    this.reply = reply;
  }
}

export type EmailContent = {
  to: string;
  subject: string;
  /** Plain text; may contain text from members, so it is escaped in the HTML. */
  paragraphs: string[];
  /** The button, and its link in the text version. */
  action: { label: string; url: string };
  /** How many paragraphs come before the button. */
  actionAfter?: number;
  unsubscribeUrl?: string | undefined;
  /** What its link says. */
  unsubscribeLabel?: string;
  calendar?: string;
};

/**
 * `hold`: about an unpaid hold. `payment`: about money. `moderation`: an admin's decision about a listing.
 * `alert`: what a member asked to be told. `message`: unread messages. `meeting`: place and time of a handover.
 */
export type EmailKind =
  | "confirmation"
  | "reset"
  | "invitation"
  | "hold"
  | "payment"
  | "moderation"
  | "alert"
  | "message"
  | "meeting";

export type NewEmail = EmailContent & {
  kind: EmailKind;
  /** Checked again when the email is sent. */
  onlyWhile?: BookingCondition | undefined;
};

/**
 * Queues emails as jobs of the transaction (decision 0009), except to an address that may not receive this
 * kind or has reached its limit (decision 0023).
 */
export type EmailQueue = {
  /** Queues an email; returns whether it did. */
  add(tx: Tx, email: NewEmail): Promise<boolean>;
  /** The inserts that queue an email, to run together with others; none if it may not be queued. */
  inserts(tx: Tx, email: NewEmail, recipient: Recipient): Insert[];
};

/** `queued`: how many emails count towards the recipient's limit. */
export type Recipient = { isConfirmed: boolean; queued: number };
