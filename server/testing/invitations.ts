import { acceptInvitation, listInvitations, readOwnInvitations } from "#contract/invitations.ts";
import { rewardInvitations } from "../features/invitation-lifecycle/reward-invitations.ts";
import { createMember, type Person } from "./people.ts";
import type { Shop } from "./shop.ts";

/** Signs up a friend by a member's link. */
export async function inviteByLink(shop: Shop, inviter: Person, friend?: Person): Promise<Person> {
  const { code } = await inviter.call(readOwnInvitations, {});
  const joining = friend ?? (await createMember(shop));
  await joining.call(acceptInvitation, { body: { code } });
  return joining;
}

/** A member's credit after the job has run, in dollars. */
export async function creditOf(shop: Shop, member: Person): Promise<number> {
  await rewardInvitations(shop.deps);
  return (await member.call(readOwnInvitations, {})).credit.balance;
}

export async function invitationsOf(member: Person) {
  return await member.call(listInvitations, {});
}
