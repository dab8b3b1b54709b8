import { randomUUID } from "node:crypto";
import type { InvitationState } from "#contract/life-cycle.ts";
import { newId } from "#server/db/ids.ts";
import { readCode } from "#server/features/rewards/invitation-codes.ts";
import { earnCredit } from "#server/features/rewards/reward-invitations.ts";
import { hashToken } from "#server/keyed-hash.ts";
import { member, type Person } from "#server/testing/people.ts";
import type { Shop } from "#server/testing/shop.ts";

export function createInvitationFixtures(shop: Shop) {
  const { db } = shop.deps;
  const now = () => shop.clock.now();

  /** Creates an invitation. In every state except `sent`, a new friend has joined. */
  async function invitation({ id: inviter_id }: Person, state: InvitationState) {
    const id = newId(now());
    const friend = state === "sent" ? undefined : await member(shop);
    const joined = friend && { friend_id: friend.id, joined_at: now() };
    await db
      .insertInto("invitations")
      .values({
        id,
        inviter_id,
        state,
        shown_as: "fr•••@example.com",
        address_hash: id,
        ...joined,
        invited_at: now(),
        expires_at: now(),
      })
      .execute();
    return id;
  }

  async function invitationCode({ id }: Person) {
    return await readCode(db, id, now());
  }

  async function credit({ id: memberId }: Person) {
    await earnCredit(db, shop.deps, { memberId, id: randomUUID(), cents: 1_000 });
  }

  /** Invites an admin to the role they already have, and any other member to the role support. */
  async function staffInvitation({ id: invitedId, email }: Person) {
    const [id, token, inviter] = [
      newId(now()),
      randomUUID(),
      await member(shop, { isAdmin: true }),
    ];
    const invited = await db
      .selectFrom("members")
      .select("staff_role")
      .where("id", "=", invitedId)
      .executeTakeFirst();
    await db.deleteFrom("staff_invitations").where("email", "=", email).execute();
    await db
      .insertInto("staff_invitations")
      .values({
        id,
        email,
        role: invited?.staff_role ?? "support",
        invited_by: inviter.id,
        token_hash: hashToken(token),
        expires_at: new Date(now().getTime() + 3_600_000),
      })
      .execute();
    return { id, token };
  }

  return { invitation, invitationCode, credit, staffInvitation };
}
