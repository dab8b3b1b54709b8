import type { EmailName } from "#contract/emails.ts";
import type { BookingState } from "#contract/life-cycle.ts";
import type { Tx } from "../db/database.ts";

/** An email to a member has a name, which selects its subject. An email to staff has a subject. */
export type EmailContent = ({ name: EmailName } | { subject: string }) & {
  /** The values of placeholders in the subject, except `{shop}`. */
  values?: Record<string, string>;
  to: string;
  /** The name in the greeting. Missing if the recipient may not be the one who chose the name. */
  recipient?: string;
  /** Plain text. The HTML escapes it, because it may contain text from members. */
  paragraphs: string[];
  /** The button in the HTML, which is a link in the plain text. */
  action: { label: string; url: string };
  /** How many paragraphs come before the button, 1 by default. */
  actionAfter?: number;
  unsubscribeUrl?: string | undefined;
  /** The text of the unsubscribe link. */
  unsubscribeLabel?: string;
  calendar?: string;
};

/**
 * The kinds of email. `hold`: about an unpaid hold. `payment`: about money. `moderation`: an
 * admin's decision about a listing. `alert`: news that a member asked for. `message`: unread
 * messages. `meeting`: the place and time of a handover.
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
  /** The email is dropped unless its booking is in one of these states when the email is sent. */
  onlyWhile?: BookingCondition | undefined;
};

/**
 * Queues emails as jobs in the given transaction (decisions/jobs-and-mail). Skips recipients who
 * may not get this kind of email, or who have reached their email limit (decisions/members).
 */
export type EmailQueue = {
  /** Queues emails; returns whether any was queued. */
  add(tx: Tx, ...emails: NewEmail[]): Promise<boolean>;
};

/**
 * An email to send. It is dropped if the booking has left the states of `onlyWhile`. It is also
 * dropped if the recipient has unsubscribed through `unsubscribeUrl`.
 */
export type QueuedEmail = {
  to: string;
  subject: string;
  text: string;
  html: string;
  senderName?: string;
  onlyWhile?: BookingCondition | undefined;
  unsubscribeUrl?: string | undefined;
  /** An iCalendar file to attach. */
  calendar?: string | undefined;
};

export type BookingCondition = { bookingId: string; states: readonly BookingState[] };
