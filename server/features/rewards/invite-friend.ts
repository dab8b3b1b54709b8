import type { RawBuilder } from "kysely";
import { friendOffer, invitationDays } from "#contract/invitation-rules.ts";
import { newInvitationState } from "#contract/life-cycle.ts";
import { type Tx, transact } from "../../db/database.ts";
import { newId } from "../../db/ids.ts";
import type { Member } from "../../db/member.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import type { EmailMessage } from "../../email/email.ts";
import { hasStoppedInvitations, stopInvitationsLink } from "../../email/opt-outs.ts";
import { currentPromo } from "../deals/fee-times-and-promo.ts";
import { hideMost, isDisposable, mailboxOf } from "./email-addresses.ts";
import { linkOf, readCode } from "./invitation-codes.ts";
import { mailboxHash } from "./join-by-invitation.ts";

const perAddress = { name: "invitations to one address", max: 3, minutes: 24 * 60 };

/** Three times one member's limit, however many accounts share the network. */
const perNetwork = { name: "invitations from a network", max: 30, minutes: 24 * 60 };

type Invited = { email: string; network: string };

const day = 24 * 3_600_000;

/** Lists the invitation even if no email is sent, so that the caller can't tell the difference. */
export async function inviteFriend(
  deps: Deps,
  member: Member,
  { email, network }: Invited,
): Promise<void> {
  await deps.rateLimiter.consume(perNetwork, network);
  await deps.rateLimiter.consume(perAddress, email);
  const unsubscribe = await stopInvitationsLink(deps, email);
  const mayMail = !(await isDisposable(email));
  const at = deps.clock.now();
  await transact(deps.db, "inviteFriend", async (tx) => {
    const signUp = linkOf(deps, await readCode(tx, member.id, at), email);
    const offer = friendOffer(currentPromo(deps));
    const address_hash = mailboxHash(email);
    const id = await insertInvitation(tx, { member, email, address_hash, at });
    if (mayMail && (await claimAddress(tx, { email, address_hash }))) {
      const invitation = invitationEmail({ signUp, unsubscribe, offer });
      await deps.emailQueue.add(tx, { kind: "invitation", to: email, ...invitation });
    }
    const by = { at, actor: member.id, verb: "invite" } as const;
    await recordAudit(tx, { ...by, object: "invitation", objectId: id });
  });
}

type Addressed = { email: string; address_hash: RawBuilder<string> };

/** Returns false for members, the unsubscribed, and addresses that were invited before. */
async function claimAddress(tx: Tx, { email, address_hash }: Addressed): Promise<boolean> {
  const known = await tx
    .selectFrom("members")
    .select("id")
    .where(({ fn }) => fn<string>("mailbox_of", ["email"]), "=", mailboxOf(email))
    .where(({ or, eb }) => or([eb("email", "=", email), eb("confirmed_at", "is not", null)]))
    .where("deleted_at", "is", null)
    .limit(1)
    .executeTakeFirst();
  if (known || (await hasStoppedInvitations(tx, email))) return false;
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto("invited_addresses")
    .values({ address_hash })
    .onConflict((conflict) => conflict.column("address_hash").doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

async function insertInvitation(
  tx: Tx,
  { member, email, address_hash, at }: Addressed & { member: Member; at: Date },
): Promise<string> {
  const open = await tx
    .selectFrom("invitations")
    .select("id")
    .where("inviter_id", "=", member.id)
    .where("address_hash", "=", address_hash)
    .where("state", "=", "sent")
    .executeTakeFirst();
  if (open) return open.id;
  const id = newId(at);
  await tx
    .insertInto("invitations")
    .values({
      id,
      inviter_id: member.id,
      address_hash,
      shown_as: hideMost(email),
      state: newInvitationState.mailed,
      invited_at: at,
      expires_at: new Date(at.getTime() + invitationDays * day),
    })
    .execute();
  return id;
}

type Invitation = { signUp: string; unsubscribe: string; offer: string };

export function invitationEmail({ signUp, unsubscribe, offer }: Invitation): EmailMessage {
  return {
    name: "friend-invitation",
    paragraphs: [
      `Hello, a friend of yours thinks you'd like {shop}, where people sell each other used laptops. You can put one on hold while you decide, then pay for it by card. Sign up with this link within 30 days, and you get ${offer}.`,
      "Not interested? Just ignore this email. We won't invite you again. If you don't want invitations at all, unsubscribe below.",
    ],
    action: { label: "Take a look", url: signUp },
    unsubscribeUrl: unsubscribe,
  };
}
