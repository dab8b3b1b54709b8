/** An email to one address, as text and as HTML. */
export type Email = {
  to: string;
  subject: string;
  text: string;
  html: string;
  /**
   * For an email that isn't transactional. A POST to it ends such emails (RFC 8058), and so does
   * the button on its page.
   */
  unsubscribeUrl?: string | undefined;
  /** An iCalendar file to attach. */
  calendar?: string | undefined;
  /** The id of the request or job that caused it, as in the log. */
  requestId?: string | undefined;
};

/**
 * Delivers emails. Features do not call it: they enqueue a `sendMail` job in their transaction, so
 * that a rollback sends nothing and a crash loses nothing.
 */
export type Mail = {
  /** The URL of an inbox that shows every email, if none is delivered to a mailbox. */
  inboxUrl: string | null;
  /**
   * Passes an email to the mail server. Throws `EmailRejected`, or an error after which a retry may
   * succeed.
   */
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
