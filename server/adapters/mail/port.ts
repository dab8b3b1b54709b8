export type Email = {
  to: string;
  subject: string;
  text: string;
  html: string;
  senderName?: string;
  /** Unset for transactional email. A POST unsubscribes (RFC 8058); a GET shows a button. */
  unsubscribeUrl?: string | undefined;
  calendar?: string | undefined;
  /** The id of the request or, without one, of the job that caused the email. */
  requestId?: string | undefined;
};

/** The job `sendMail` sends emails, so a rollback sends none and a crash loses none. */
export type Mail = {
  /** An inbox that shows every email; null if emails go to real mailboxes. */
  inboxUrl: string | null;
  /** Throws `EmailRejected`, or an error after which a retry may succeed. */
  send(email: Email): Promise<void>;
  /** Connects and logs in. Throws if either fails. */
  check(): Promise<void>;
  close(): Promise<void>;
};

/** A retry would fail too. `reply`: the server's reason, which may name the recipient. */
export class EmailRejected extends Error {
  readonly reply: string;

  constructor(reply: string) {
    super("The mail server rejected an email.");
    this.reply = reply;
  }
}
