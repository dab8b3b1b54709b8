import { readOwnInvitations } from "#contract/invitations.ts";
import { refundPayment } from "../features/money/send-refund.ts";
import { earnCredit } from "../features/rewards/reward-invitations.ts";
import type { Deal } from "./marketplace.ts";
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

export async function sendRefund(shop: Shop, { booking }: Deal) {
  const due = shop.deps.db.selectFrom("payments").select("id").where("booking_id", "=", booking);
  for (const { id } of await due.execute()) await refundPayment(shop.deps, id);
}
