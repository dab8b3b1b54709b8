import { recordAudit } from "../../db/audit-log.ts";
import { transact } from "../../db/database.ts";
import type { Deps } from "../../deps.ts";
import { renderEmail } from "../email/email-layout.ts";
import type { Member } from "../members/members.ts";

/** However many invite somebody, their mailbox gets so many letters of it. */
const perMailbox = { name: "invitations to one address", most: 3, minutes: 24 * 60 };

/**
 * Mails an invitation for a member. Who has an account already gets none, and the answer is the
 * same, so nobody learns who has one.
 */
export async function inviteFriend(deps: Deps, member: Member, email: string): Promise<void> {
  await deps.rateLimiter.consume(perMailbox, email);
  await transact(deps.db, "inviteFriend", async (tx) => {
    const known = await tx
      .selectFrom("members")
      .select("id")
      .where("email", "=", email)
      .executeTakeFirst();
    if (!known) await deps.queueEmail(tx, { kind: "invitation", ...invitation(deps, email) });
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

/** Without a name: an invitation to a stranger carries nobody's words but ours. */
function invitation({ config }: Deps, email: string) {
  return renderEmail({
    to: email,
    subject: "You are invited to Secondlap",
    paragraphs: [
      "Hello, a friend of yours thinks you would like Secondlap, where people sell each other used laptops. You can put one on hold while you look, then pay for it by card.",
      "If you aren't interested, just ignore this email. We don't keep your address.",
    ],
    action: {
      label: "Take a look",
      url: `${config.publicUrl}/signup?${new URLSearchParams({ email })}`,
    },
  });
}
