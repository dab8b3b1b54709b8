import { transact } from "../../db/database.ts";
import type { Member } from "../../db/member.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { invitationEmail } from "../email/account-emails.ts";
import { hasOptedOut, unsubscribeUrl } from "../email/opt-outs.ts";

/** At most three invitations a day to one address, whoever sends them. */
const perAddress = { name: "invitations to one address", most: 3, minutes: 24 * 60 };

/**
 * Emails an invitation. Returns the same whether or not the address has an account or has unsubscribed, so the
 * caller can't find out; such an address gets no email.
 */
export async function inviteFriend(deps: Deps, member: Member, email: string): Promise<void> {
  await deps.rateLimiter.consume(perAddress, email);
  const signUp = `${deps.config.publicUrl}/signup?${new URLSearchParams({ email })}`;
  const unsubscribe = await unsubscribeUrl(deps, email);
  await transact(deps.db, "inviteFriend", async (tx) => {
    const known = await tx
      .selectFrom("members")
      .select("id")
      .where("email", "=", email)
      .executeTakeFirst();
    const invitation = invitationEmail(email, { signUp, unsubscribe });
    if (!known && !(await hasOptedOut(tx, email)))
      await deps.emailQueue.add(tx, { kind: "invitation", ...invitation });
    const at = deps.clock.now();
    await recordAudit(tx, {
      at,
      actor: member.id,
      verb: "invite",
      object: "member",
      objectId: member.id,
    });
  });
}
