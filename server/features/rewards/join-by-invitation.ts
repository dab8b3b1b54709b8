import { type RawBuilder, sql } from "kysely";
import { invitationDays } from "#contract/invitation-rules.ts";
import { newInvitationState } from "#contract/life-cycle.ts";
import type { Tx } from "../../db/database.ts";
import { newId } from "../../db/ids.ts";
import { recordAudit } from "../../db/record-audit.ts";
import { isDisposable, mailboxOf } from "./email-addresses.ts";
import { applyInvitation } from "./invitation-transition.ts";
import { type Caller, isTraceOfAnother, recordCaller, traceHash } from "./member-traces.ts";
import { suspectFriend } from "./suspect-friend.ts";

const day = 24 * 3_600_000;

export type Friend = Caller & { id: string; email: string };

export function mailboxHash(email: string): RawBuilder<string> {
  return traceHash({ kind: "mailbox", value: mailboxOf(email) });
}

/**
 * Accepts an invitation to the member's address, if there is one. An earlier account that never
 * confirmed the address may be a stranger's, so it doesn't keep others from joining.
 */
export async function joinByAddress(tx: Tx, friend: Friend, at: Date): Promise<void> {
  const invitation = await tx
    .selectFrom("invitations")
    .leftJoin("members as earlier", "earlier.id", "friend_id")
    .select(["invitations.id", "invitations.inviter_id", "friend_id"])
    .where("address_hash", "=", mailboxHash(friend.email))
    .where("expires_at", ">", at)
    .where("inviter_id", "<>", friend.id)
    .where(({ or, and, eb }) =>
      or([
        eb("invitations.state", "=", "sent"),
        and([eb("friend_id", "is not", null), eb("earlier.confirmed_at", "is", null)]),
      ]),
    )
    .orderBy(sql`friend_id is not null`)
    .orderBy("invited_at")
    .limit(1)
    .forUpdate("invitations")
    .executeTakeFirst();
  if (invitation?.friend_id) await joinByLink(tx, { friend, inviterId: invitation.inviter_id, at });
  else if (invitation) await join(tx, { friend, id: invitation.id, at });
  else await recordCaller(tx, friend, at);
}

export async function joinByLink(
  tx: Tx,
  { friend, inviterId, at }: { friend: Friend; inviterId: string; at: Date },
): Promise<void> {
  const id = newId(at);
  const inserted = await tx
    .insertInto("invitations")
    .values({
      id,
      inviter_id: inviterId,
      friend_id: friend.id,
      shown_as: "",
      invited_at: at,
      joined_at: at,
      state: newInvitationState.linked,
      expires_at: new Date(at.getTime() + invitationDays * day),
    })
    .onConflict((conflict) => conflict.column("friend_id").doNothing())
    .executeTakeFirst();
  if (inserted.numInsertedOrUpdatedRows === 1n) await recordJoin(tx, { friend, id, at });
}

type Joining = { friend: Friend; id: string; at: Date };

async function join(tx: Tx, { friend, id, at }: Joining): Promise<void> {
  await tx
    .updateTable("invitations")
    .set({ friend_id: friend.id, joined_at: at, state: "joined" })
    .where("id", "=", id)
    .execute();
  await recordJoin(tx, { friend, id, at });
}

async function recordJoin(tx: Tx, { friend, id, at }: Joining): Promise<void> {
  const reason = await refusalOf(tx, friend);
  const by = { at, actor: friend.id, object: "invitation", objectId: id } as const;
  await recordAudit(tx, { ...by, verb: "join" });
  await recordCaller(tx, friend, at);
  if (reason === undefined) return await suspectFriend(tx, id, at);
  await applyInvitation(tx, { id, at, actor: null, transition: "refuse", reason });
}

async function refusalOf(tx: Tx, { id, email }: Friend): Promise<string | undefined> {
  if (await isDisposable(email)) return "disposable address";
  return (await isMailboxOfAnother(tx, { id, email })) ? secondAccount : undefined;
}

const secondAccount = "mailbox of another account";

/** Ignores unconfirmed accounts: anyone can sign up with another spelling of an address. */
async function isMailboxOfAnother(tx: Tx, { id, email }: Friend): Promise<boolean> {
  const value = mailboxOf(email);
  const another = await tx
    .selectFrom("members")
    .select("id")
    .where(({ fn }) => fn<string>("mailbox_of", ["email"]), "=", value)
    .where("id", "<>", id)
    .where("confirmed_at", "is not", null)
    .limit(1)
    .executeTakeFirst();
  return another !== undefined || (await isTraceOfAnother(tx, { kind: "mailbox", value }, id));
}

/**
 * Refuses the friend's invitation if another confirmed account, or a deleted one, has the same
 * mailbox.
 */
export async function refuseSecondAccount(tx: Tx, friend: Friend, at: Date): Promise<void> {
  const invitation = await tx
    .selectFrom("invitations")
    .select("id")
    .where("friend_id", "=", friend.id)
    .executeTakeFirst();
  if (!invitation || !(await isMailboxOfAnother(tx, friend))) return;
  const move = { id: invitation.id, at, actor: null, transition: "refuse" } as const;
  await applyInvitation(tx, { ...move, reason: secondAccount });
}
