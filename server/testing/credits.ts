import { readOwnInvitations } from "#contract/invitations.ts";
import { earnCredit } from "../features/rewards/reward-invitations.ts";
import type { Person } from "./people.ts";
import type { Shop } from "./shop.ts";

/** Gives credit at most once for each reason `why`. */
export async function give(shop: Shop, { id }: Person, dollars: number, why = "test") {
  const earning = { memberId: id, id: `${id}:${why}`, cents: dollars * 100 };
  await earnCredit(shop.deps.db, shop.deps, earning);
}

/** In dollars. */
export async function balance(member: Person) {
  return (await member.call(readOwnInvitations, {})).credit.balance;
}
