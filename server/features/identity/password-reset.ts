import type { Kysely } from "kysely";
import { transact } from "../../db/database.ts";
import { enqueue } from "../../db/job-queue.ts";
import type { DB } from "../../db/schema.ts";
import type { Deps } from "../../deps.ts";
import type { EmailContent } from "../../email/email.ts";

/**
 * Enqueues a job for any address, so that the response and its timing don't reveal whether an
 * account exists. Returns the message to show.
 */
export async function requestPasswordReset(db: Kysely<DB>, email: string): Promise<string> {
  await transact(db, "requestPasswordReset", (tx) =>
    enqueue(tx, "offerPasswordReset", { payload: { email } }),
  );
  return `If there is an account for ${email}, we've emailed you a link.`;
}

/**
 * Job `offerPasswordReset`: if the address has an account, mails a link to set a new password. The
 * link works once, within an hour. Sends no link within a minute of the last link, or while five
 * links are valid. Strangers can thus neither flood a mailbox nor invalidate the owner's links.
 */
export async function offerPasswordReset(deps: Deps, email: string): Promise<void> {
  await transact(deps.db, "offerPasswordReset", async (tx) => {
    const token = await deps.identity.resetLinks.create(tx, email, deps.clock.now());
    if (token === undefined) return;
    const url = `${deps.config.publicUrl}/reset-password?token=${token}`;
    await deps.emailQueue.add(tx, { kind: "reset", ...passwordResetEmail(email, url) });
  });
}

/** The email contains no name: anyone could have signed up with this address under any name. */
export function passwordResetEmail(to: string, url: string): EmailContent {
  return {
    to,
    name: "password-reset",
    paragraphs: [
      "Someone asked to set a new password for the {shop} account with this email address. If that was you, follow the link. It works once, within an hour.",
      "If it wasn't you, just ignore this email. Your password stays the same.",
    ],
    action: { label: "Set a new password", url },
  };
}
