/** An e-mail to one address, as text and as HTML. */
export type Email = { to: string; subject: string; text: string; html: string };

/**
 * Delivers e-mails. Features do not call it: they enqueue a `sendMail` job in their transaction, so that a
 * rollback sends nothing and a crash loses nothing.
 */
export type Mail = {
  /** The URL of an inbox that shows every e-mail, if none is delivered to a mailbox. */
  inboxUrl: string | null;
  /** Passes an e-mail to the mail server; throws if the server does not accept it. */
  send(email: Email): Promise<void>;
};
