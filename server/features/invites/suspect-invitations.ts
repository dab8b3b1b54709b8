import type { SuspectInvitation } from "#contract/invitations.ts";
import { type Tx, transact } from "../../db/database.ts";
import type { Member } from "../../db/member.ts";
import { newestFirst, type Page, type Paging } from "../../db/pagination.ts";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";
import { applyInvitation } from "../invitation-lifecycle/invitation-transition.ts";

/** Invitations that look like abuse, newest first. */
export async function listSuspectInvitations(
  tx: Tx,
  paging: Paging,
): Promise<Page<SuspectInvitation>> {
  const query = tx
    .selectFrom("invitations")
    .innerJoin("members as inviter", "inviter.id", "inviter_id")
    .innerJoin("members as friend", "friend.id", "friend_id")
    .select(["invitations.id", "invitations.reason", "invited_at", "joined_at"])
    .select(["inviter.id as inviter_id", "inviter.name as inviter_name"])
    .select(["inviter.email as inviter_email", "friend.id as friend_id"])
    .select(["friend.name as friend_name", "friend.email as friend_email"])
    .where("invitations.state", "=", "review");
  const order = { at: "invitations.invited_at", id: "invitations.id" } as const;
  return await newestFirst(query, { ...order, ...paging }, (row) => ({
    _id: row.id,
    inviter: { _id: row.inviter_id, name: row.inviter_name, email: row.inviter_email },
    friend: { _id: row.friend_id, name: row.friend_name, email: row.friend_email },
    reason: row.reason ?? "",
    invitedAt: row.invited_at.toISOString(),
    joinedAt: (row.joined_at ?? row.invited_at).toISOString(),
  }));
}

type Decision = { id: string; approve: boolean };

/** Decides about an invitation that looks like abuse. Refuses `NOT_FOUND`, and `STALE` if it waits for no decision. */
export async function decideInvitation(
  deps: Deps,
  admin: Member,
  { id, approve }: Decision,
): Promise<void> {
  const at = deps.clock.now();
  await transact(deps.db, "decideInvitation", async (tx) => {
    const transition = approve ? "approve" : "refuse";
    const found = await tx
      .selectFrom("invitations")
      .select("state")
      .where("id", "=", id)
      .forUpdate()
      .executeTakeFirst();
    if (!found) throw new AppError("NOT_FOUND", "There is no such invitation.");
    if (found.state !== "review")
      throw new AppError("STALE", "Someone has already decided about this invitation.");
    await applyInvitation(tx, { id, transition, at, actor: admin.id });
    if (approve)
      await tx
        .updateTable("invitations")
        .set({ approved_by: admin.id })
        .where("id", "=", id)
        .execute();
  });
}
