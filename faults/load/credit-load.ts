import type { Kysely } from "kysely";
import { systemClock } from "#server/clock.ts";
import { CurrentShop } from "#server/current-shop.ts";
import { newId } from "#server/db/ids.ts";
import type { DB } from "#server/db/schema.ts";
import { earnCredit } from "#server/features/rewards/reward-invitations.ts";

type Invited = { inviterId: string; friends: { id: string }[] };

/** Gives each buyer an invitation discount and $30 of credit. Purchases reward the inviter. */
export async function inviteBuyers(db: Kysely<DB>, { inviterId, friends }: Invited): Promise<void> {
  const now = systemClock.now();
  const deps = { shop: new CurrentShop(), clock: systemClock };
  for (const { id } of friends) {
    const invitation = { id: newId(now), inviter_id: inviterId, shown_as: "", state: "joined" };
    const times = { invited_at: now, joined_at: now, expires_at: now };
    await db
      .insertInto("invitations")
      .values({ ...invitation, ...times, friend_id: id })
      .execute();
    await db
      .transaction()
      .execute((tx) => earnCredit(tx, deps, { memberId: id, id: `load:${id}`, cents: 3_000 }));
  }
}
