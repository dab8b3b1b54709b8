import type { BookingState } from "#contract/life-cycle.ts";
import type { Tx } from "../db/database.ts";

export type EmailContent = {
  to: string;
  subject: string;
  /** Plain text. It may contain text from members, so it is escaped in the HTML. */
  paragraphs: string[];
  /** The button, and its link in the text version. */
  action: { label: string; url: string };
  /** How many paragraphs come before the button. */
  actionAfter?: number;
  unsubscribeUrl?: string | undefined;
  /** The text of the unsubscribe link. */
  unsubscribeLabel?: string;
  calendar?: string;
};

/**
 * `hold`: about an unpaid hold. `payment`: about money. `moderation`: an admin's decision about a
 * listing. `alert`: news that a member asked for. `message`: unread messages. `meeting`: place and
 * time of a handover.
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
 * Queues emails as jobs of the transaction (decisions/jobs-and-mail). Skips addresses that may not
 * receive this kind or have reached their limit (decisions/members).
 */
export type EmailQueue = {
  /** Queues emails; returns whether any was queued. */
  add(tx: Tx, ...emails: NewEmail[]): Promise<boolean>;
};

/**
 * An email to send. It is dropped if the booking of `onlyWhile` has changed in the meantime, or if
 * it has an `unsubscribeUrl` and the recipient has unsubscribed.
 */
export type QueuedEmail = {
  to: string;
  subject: string;
  text: string;
  html: string;
  onlyWhile?: BookingCondition | undefined;
  unsubscribeUrl?: string | undefined;
  /** An iCalendar file to attach. */
  calendar?: string | undefined;
};

export type BookingCondition = { bookingId: string; states: readonly BookingState[] };
