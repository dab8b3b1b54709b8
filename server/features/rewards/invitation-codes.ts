import { randomInt } from "node:crypto";
import { invitationDays } from "#contract/invitation-rules.ts";
import { type Tx, transact } from "../../db/database.ts";
import type { Member } from "../../db/member.ts";
import type { Deps } from "../../deps.ts";
import { AppError, orNotFound } from "../../errors.ts";
import { expireCreditOf } from "./credits.ts";
import { mailboxOf } from "./email-addresses.ts";
import { type Friend, joinByLink } from "./join-by-invitation.ts";
import { type Caller, recordTrace } from "./member-traces.ts";

/** Without 0, 1, I and O, which look alike. */
const letters = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";

/** Returns the member's code, which the first call creates. */
export async function readCode(tx: Tx, memberId: string, at: Date): Promise<string> {
  const code = Array.from({ length: 8 }, () => letters[randomInt(letters.length)]).join("");
  await tx
    .insertInto("invitation_codes")
    .values({ member_id: memberId, code, created_at: at })
    .onConflict((conflict) => conflict.column("member_id").doNothing())
    .execute();
  const { code: kept } = await tx
    .selectFrom("invitation_codes")
    .select("code")
    .where("member_id", "=", memberId)
    .executeTakeFirstOrThrow();
  return kept;
}

export function linkOf({ config }: Pick<Deps, "config">, code: string, email?: string): string {
  const query = new URLSearchParams({ ...(email !== undefined && { email }), invite: code });
  return `${config.publicUrl}/signup?${query}`;
}

type Acceptance = Caller & { code: string };

/**
 * Accepts an invitation by its code, unless the member was already invited. Throws `NOT_FOUND` for
 * an unknown code, one's own, or a suspended or deleted member's. Throws `STALE` after a purchase,
 * or `invitationDays` after signing up.
 */
export async function acceptInvitation(
  deps: Deps,
  member: Member,
  { code, ...from }: Acceptance,
): Promise<void> {
  const at = deps.clock.now();
  await transact(deps.db, "acceptInvitation", async (tx) => {
    const inviter = await tx
      .selectFrom("invitation_codes")
      .innerJoin("members", "members.id", "member_id")
      .select("member_id")
      .where("code", "=", code)
      .where("member_id", "<>", member.id)
      .where("members.deleted_at", "is", null)
      .where("members.suspended_at", "is", null)
      .executeTakeFirstOrThrow(orNotFound("There is no such invitation. Check the code."));
    if (await isInvited(tx, member.id)) return;
    await requireNew(tx, member.id, at);
    const friend: Friend = { id: member.id, email: member.email, ...from };
    await joinByLink(tx, { friend, inviterId: inviter.member_id, at });
  });
}

async function isInvited(tx: Tx, friendId: string): Promise<boolean> {
  const found = await tx
    .selectFrom("invitations")
    .select("id")
    .where("friend_id", "=", friendId)
    .executeTakeFirst();
  return found !== undefined;
}

async function requireNew(tx: Tx, memberId: string, at: Date): Promise<void> {
  const since = new Date(at.getTime() - invitationDays * 24 * 3_600_000);
  const found = await tx
    .selectFrom("members")
    .select("id")
    .where("id", "=", memberId)
    .where("created_at", ">", since)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("bookings")
            .select("id")
            .where("buyer_id", "=", memberId)
            .where("state", "in", ["paid", "completed"]),
        ),
      ),
    )
    .executeTakeFirst();
  if (!found)
    throw new AppError("STALE", "Invitations are for new members who haven't bought a laptop yet.");
}

/** The latest time that a `Date` can hold. */
const endOfTime = new Date(8.64e15);

/**
 * Deletes a leaving member's code and credit. Invited friends keep the discount. A confirmed
 * mailbox's keyed hash stays for a while, so that the same person can't become a new friend.
 */
export async function endInvitationsOf(
  tx: Tx,
  deps: Deps,
  { id, email, isConfirmed }: { id: string; email: string; isConfirmed: boolean },
): Promise<void> {
  const at = deps.clock.now();
  await tx.deleteFrom("invitation_codes").where("member_id", "=", id).execute();
  await tx
    .updateTable("invitations")
    .set({ shown_as: "" })
    .where("inviter_id", "=", id)
    .where("shown_as", "<>", "")
    .execute();
  if (isConfirmed)
    await recordTrace(tx, { kind: "mailbox", value: mailboxOf(email) }, { memberId: id, at });
  await expireCreditOf(tx, deps, { memberId: id, until: endOfTime });
}
