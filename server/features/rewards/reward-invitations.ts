import { sql } from "kysely";
import { transact } from "../../db/database.ts";
import type { Deps } from "../../deps.ts";
import { runParts } from "../../jobs/define-jobs.ts";
import { promoOverCents } from "../money/agreed-terms.ts";
import { giveReward } from "./give-reward.ts";
import { applyInvitation } from "./invitation-transition.ts";
import { tellAdminsOfInvitations } from "./mail-waiting-invitations.ts";
import { claimMissedDiscount, listMissedDiscounts } from "./missed-discounts.ts";

const batchSize = 200;

/**
 * Job `rewardInvitations`, every minute: gives each reward once, and ends invitations that nobody
 * accepted. The job reads the current state, so it can't miss an event.
 */
export async function rewardInvitations(deps: Deps): Promise<void> {
  await runParts("rewarded", async (attempt) => {
    for (const id of await listExpired(deps)) await attempt(() => expire(deps, id));
    for (const id of await listMissedDiscounts(deps.db))
      await attempt(() => claimMissedDiscount(deps, id));
    for (const id of await listReleased(deps)) await attempt(() => rewardPurchase(deps, id));
    await attempt(() => tellAdminsOfInvitations(deps));
  });
}

async function listExpired({ db, clock }: Deps): Promise<string[]> {
  const rows = await db
    .selectFrom("invitations")
    .select("id")
    .where("state", "=", "sent")
    .where("expires_at", "<=", clock.now())
    .orderBy("expires_at")
    .limit(batchSize)
    .execute();
  return rows.map(({ id }) => id);
}

async function expire(deps: Deps, id: string): Promise<void> {
  const move = { id, transition: "expire", at: deps.clock.now(), actor: null } as const;
  await transact(deps.db, `expireInvitation ${id}`, (tx) => applyInvitation(tx, move));
}

/** SQL condition: the reward doesn't wait for an admin. */
const mayBeGiven = sql`(i.waits_since is null or i.reward_approved is not null)`;

/**
 * Lists invitations whose discounted purchase is paid out to the seller. Before the payout, the
 * money may still go back to a friend who never meant to buy. A refund that lowers the price to the
 * minimum or below forfeits the reward.
 */
async function listReleased({ db }: Deps): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select i.id from invitations i
    join members inviter on inviter.id = inviter_id
    join members friend on friend.id = friend_id
    join bookings on bookings.id = discount_booking_id
    join settlements s on s.booking_id = bookings.id
    where i.state = 'joined' and ${mayBeGiven} and settlement_state(s) = 'released' and bookings.payout_held_at is null
      and inviter.deleted_at is null and inviter.suspended_at is null
      and friend.suspended_at is null and friend.confirmed_at is not null
      and bookings.price_cents - coalesce((
        select refund_cents from complaints where booking_id = bookings.id), 0) > ${promoOverCents}
    order by i.id limit ${sql.lit(batchSize)}`.execute(db);
  return rows.map(({ id }) => id);
}

async function rewardPurchase(deps: Deps, id: string): Promise<void> {
  await transact(deps.db, `rewardPurchase ${id}`, (tx) => giveReward(tx, deps, id));
}
