import type { EmailName } from "#contract/emails.ts";
import type { BookingState } from "#contract/life-cycle.ts";
import type { Email } from "../adapters/mail/port.ts";
import type { Tx } from "../db/database.ts";

/** `name` selects texts that the owner can change. Emails to staff have a fixed `subject`. */
export type EmailMessage = ({ name: EmailName } | { subject: string }) & {
  /** The values of placeholders in the subject and the opening, except `{shop}`. */
  values?: Record<string, string>;
  /** Plain text. The HTML escapes it, because it may contain text from members. */
  paragraphs: string[];
  /** A button in the HTML, a link in the plain text. */
  action: { label: string; url: string };
  /** The number of paragraphs before the button, 1 by default. */
  actionAfter?: number;
  unsubscribeUrl?: string | undefined;
  unsubscribeLabel?: string;
  calendar?: string;
};

export type EmailContent = EmailMessage & {
  to: string;
  /** The name in the greeting. Missing if the recipient may not be the one who chose the name. */
  recipient?: string;
};

export function addressedTo({ name, email }: { name: string; email: string }) {
  return { to: email, recipient: name };
}

/** Emails are limited by kind (queue-email.ts). */
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
  /** The email is dropped unless its booking is in one of these states when it is sent. */
  onlyWhile?: BookingCondition | undefined;
};

/** Skips recipients who may not get this kind, or have reached their limit (decisions/members). */
export type EmailQueue = {
  /** Queues jobs in `tx` (decisions/jobs-and-mail). Returns whether any email was queued. */
  add(tx: Tx, ...emails: NewEmail[]): Promise<boolean>;
};

export type QueuedEmail = Omit<Email, "requestId"> & Pick<NewEmail, "onlyWhile">;

export type BookingCondition = { bookingId: string; states: readonly BookingState[] };
