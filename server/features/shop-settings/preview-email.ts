import type { EmailName } from "#contract/emails.ts";
import { withDraft } from "../../current-shop.ts";
import { transact } from "../../db/database.ts";
import type { Member } from "../../db/member.ts";
import type { Deps } from "../../deps.ts";
import { renderEmail } from "../../email/email-layout.ts";
import { AppError } from "../../errors.ts";
import { sampleEmail } from "./sample-emails.ts";
import { readShopSettings } from "./shop-settings.ts";

/** Renders an email with the draft, and sends it to the owner if asked. Throws `IN_USE`. */
export async function previewEmail(
  { db, config, emailQueue }: Deps,
  { owner, name, send }: { owner: Member; name: EmailName; send: boolean },
): Promise<{ subject: string; text: string }> {
  const { draft, published } = await readShopSettings(db);
  const email = sampleEmail(name, owner, config.publicUrl);
  const sendEmail = () =>
    transact(db, "previewEmail", (tx) => emailQueue.add(tx, { kind: "alert", ...email }));
  if (send && !(await withDraft(draft ?? published, sendEmail)))
    throw new AppError(
      "IN_USE",
      "We can't email you now. Confirm your email address first, or try again tomorrow.",
    );
  const { subject, text } = renderEmail(email, draft ?? published);
  return { subject, text };
}
