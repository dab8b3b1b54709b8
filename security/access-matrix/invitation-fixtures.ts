import { randomUUID } from "node:crypto";
import type { InvitationState } from "#contract/life-cycle.ts";
import { newId } from "#server/db/ids.ts";
import { earnCredit } from "#server/features/rewards/give-reward.ts";
import { readCode } from "#server/features/rewards/invitation-codes.ts";
import { member, type Person } from "#server/testing/people.ts";
import type { Shop } from "#server/testing/shop.ts";

export function createInvitationFixtures(shop: Shop) {
  const { db } = shop.deps;
  const now = () => shop.clock.now();

  /** An invitation by a member. In all states but `sent`, a new friend has joined. */
  async function invitation({ id: inviter_id }: Person, state: InvitationState) {
    const id = newId(now());
    const friend = state === "sent" ? undefined : await member(shop);
    const joined = friend && { friend_id: friend.id, joined_at: now() };
    await db
      .insertInto("invitations")
      .values({
        ...{ id, inviter_id, state, shown_as: "fr•••@example.com", address_hash: id, ...joined },
        ...{ invited_at: now(), expires_at: now() },
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

  return { invitation, invitationCode, credit };
}
