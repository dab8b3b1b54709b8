import { expect } from "vitest";
import {
  acceptInvitation,
  listInvitations,
  readInvitationOffer,
  readOwnInvitations,
} from "#contract/invitations.ts";
import { joinByLink } from "../features/rewards/join-by-invitation.ts";
import { earnCredit, rewardInvitations } from "../features/rewards/reward-invitations.ts";
import type { Sale } from "./deal.ts";
import { member, type Person } from "./people.ts";
import { hour, payOutWithoutProvider, wait } from "./settlements.ts";
import type { Shop } from "./shop.ts";

export async function inviteByLink(shop: Shop, inviter: Person, friend?: Person): Promise<Person> {
  const { code } = await inviter.call(readOwnInvitations, {});
  const joining = friend ?? (await member(shop));
  await joining.call(acceptInvitation, { body: { code } });
  return joining;
}

/** In dollars. */
export async function balance(someone: Person): Promise<number> {
  return (await someone.call(readOwnInvitations, {})).credit.balance;
}

/** Runs the reward job first. The credit is in dollars. */
export async function creditOf(shop: Shop, someone: Person): Promise<number> {
  await rewardInvitations(shop.deps);
  return await balance(someone);
}

export async function invitationsOf(someone: Person) {
  return await someone.call(listInvitations, {});
}

/** Returns headers of a browser whose id begins with `name`. */
export const browserOf = (name: string) => ({
  cookie: `secondlap.browser=${name.padEnd(22, "x")}`,
});

/** Expects that the inviter's only invitation was refused, which the inviter can't see. */
export async function expectRefused({ deps }: Shop, inviter: Person) {
  const rows = deps.db
    .selectFrom("invitations")
    .select("state")
    .where("inviter_id", "=", inviter.id);
  expect(await rows.execute()).toEqual([{ state: "refused" }]);
  expect(await invitationsOf(inviter)).toMatchObject([{ state: "joined", earned: 0 }]);
}

export const hasDiscount = async (friend: Person) =>
  (await friend.call(readInvitationOffer, {})).hasDiscount;

export async function joinInvited(
  shop: Shop,
  inviter: Person,
  friend: Person,
  more: { email?: string; browser?: string } = {},
) {
  const at = shop.clock.now();
  const email = more.email ?? friend.email;
  await shop.deps.db.transaction().execute((tx) =>
    joinByLink(tx, {
      friend: { id: friend.id, email, browser: more.browser },
      inviterId: inviter.id,
      at,
    }),
  );
}

/** Deletes card traces, because members who pay with the same card look like one person. */
export async function forgetCards({ deps: { db } }: Shop): Promise<void> {
  await db.deleteFrom("member_traces").where("kind", "=", "card").execute();
}

export async function release(sale: Sale): Promise<void> {
  await sale.handOver();
  await wait(sale.shop, 72 * hour);
  await payOutWithoutProvider(sale.shop, sale);
}

/** Gives credit at most once for each reason `why`. */
export async function give(shop: Shop, { id }: Person, dollars: number, why = "test") {
  const earning = { memberId: id, id: `${id}:${why}`, cents: dollars * 100 };
  await earnCredit(shop.deps.db, shop.deps, earning);
}
