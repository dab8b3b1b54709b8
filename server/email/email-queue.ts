import type { BookingState } from "#contract/life-cycle.ts";
import type { Tx } from "../db/database.ts";
import type { Insert } from "../db/execute-together.ts";

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
 * Queues emails as jobs of the transaction (decisions/jobs-and-mail), except to an address that may not receive this
 * kind or has reached its limit (decisions/members).
 */
export type EmailQueue = {
  /** Queues an email; returns whether it did. */
  add(tx: Tx, email: NewEmail): Promise<boolean>;
  /** The inserts that queue an email, to run together with others; none if it may not be queued. */
  inserts(tx: Tx, email: NewEmail, recipient: Recipient): Insert[];
};

/** `queued`: how many emails count towards the recipient's limit. */
export type Recipient = { isConfirmed: boolean; queued: number };

/**
 * An email to send. It is dropped if, with `onlyWhile`, the booking has changed in the meantime or, with
 * `unsubscribeUrl`, the recipient has unsubscribed.
 */
export type QueuedEmail = {
  to: string;
  subject: string;
  text: string;
  html: string;
  onlyWhile?: BookingCondition | undefined;
  unsubscribeUrl?: string | undefined;
  /** An iCalendar file, attached. */
  calendar?: string | undefined;
};

export type BookingCondition = { bookingId: string; states: readonly BookingState[] };
