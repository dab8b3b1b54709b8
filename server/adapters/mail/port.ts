/** An email to one address, as text and as HTML. */
export type Email = {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** The shop's name, shown as the sender. Missing from emails that an older version queued. */
  senderName?: string;
  /**
   * Set for emails that aren't transactional. A POST to this URL unsubscribes (RFC 8058). A GET
   * shows a page with an unsubscribe button.
   */
  unsubscribeUrl?: string | undefined;
  /** An iCalendar file to attach. */
  calendar?: string | undefined;
  /** The id of the request or job that caused the email, as in the log. */
  requestId?: string | undefined;
};

/**
 * Delivers emails. Features don't call this port: they enqueue a `sendMail` job in their
 * transaction, so that a rollback sends nothing and a crash loses nothing.
 */
export type Mail = {
  /** The URL of an inbox that shows every email; null if emails go to real mailboxes. */
  inboxUrl: string | null;
  /**
   * Passes an email to the mail server. Throws `EmailRejected`, or an error after which a retry may
   * succeed.
   */
  send(email: Email): Promise<void>;
  /** Connects and logs in. Throws if either step fails. */
  check(): Promise<void>;
  close(): Promise<void>;
};

/**
 * The mail server will never accept this email. `reply` is the server's reason, which may name the
 * recipient.
 */
export class EmailRejected extends Error {
  readonly reply: string;

  constructor(reply: string) {
    super("The mail server rejected an email.");
    this.reply = reply;
  }
}
