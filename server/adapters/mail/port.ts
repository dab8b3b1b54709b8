/** A mail to one person: a text, and the same as HTML. */
export type Email = { to: string; subject: string; text: string; html: string };

/**
 * The way mail leaves. No verb sends: it leaves a `sendMail` job in its transaction, so that nothing is
 * sent for what was rolled back, and nothing is lost.
 */
export type Mail = {
  /** Where everything sent can be read, when none of it reaches a mailbox. */
  inboxUrl: string | null;
  /** Hands a letter over; throws where it was not taken. */
  send(letter: Email): Promise<void>;
};
