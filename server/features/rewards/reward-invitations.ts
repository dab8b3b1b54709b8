import { sql } from "kysely";
import { inviterCents } from "#contract/invitation-rules.ts";
import { invitationTransitions } from "#contract/life-cycle.ts";
import { type Tx, transact } from "../../db/database.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { runParts } from "../../jobs/define-jobs.ts";
import { agreedPromo, promoOverCents } from "../deals/fee-times-and-promo.ts";
import { postJournals } from "../ledger/post-journal.ts";
import { isOverBudget, lockBudget, lockDiscounts } from "./discounts.ts";
import { applyInvitation } from "./invitation-transition.ts";
import { readMissedDiscount } from "./missed-discounts.ts";

const batchSize = 200;

/** Job `rewardInvitations`, every minute. Reads the current state, so it can't miss an event. */
export async function rewardInvitations(deps: Deps): Promise<void> {
  await runParts("rewarded", async (attempt) => {
    for (const id of await listExpired(deps)) await attempt(() => expire(deps, id));
    for (const id of await listReleased(deps))
      await attempt(() =>
        transact(deps.db, `rewardPurchase ${id}`, (tx) => giveReward(tx, deps, id)),
      );
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

/** SQL: whether no decision about the reward is pending. */
const mayBeGiven = sql`(i.waits_since is null or i.reward_approved is not null)`;

/**
 * Lists the invitations due for a reward. A reward waits for the payout, because until then the
 * friend may get the money back. A refund that lowers the price to the minimum or below forfeits
 * the reward. A missed discount is the friend's, even if the inviter has left.
 */
async function listReleased({ db }: Deps): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select i.id from invitations i
    join members inviter on inviter.id = inviter_id
    join members friend on friend.id = friend_id
    join bookings on bookings.id = discount_booking_id
    join settlements s on s.booking_id = bookings.id
    where i.state = 'joined' and ${mayBeGiven} and settlement_state(s) = 'released' and bookings.payout_held_at is null
      and (inviter.deleted_at is null or discount_cents = 0) and inviter.suspended_at is null
      and friend.suspended_at is null and friend.confirmed_at is not null
      and bookings.price_cents - coalesce((
        select refund_cents from complaints where booking_id = bookings.id), 0) > ${promoOverCents}
    order by i.id limit ${sql.lit(batchSize)}`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Completes an invitation, and gives its reward unless an admin refused it. A reward over the
 * budget waits until an admin has decided.
 */
async function giveReward(tx: Tx, deps: Deps, id: string): Promise<void> {
  const at = deps.clock.now();
  const invitation = await lockInvitation(tx, id);
  if (!invitation) return;
  const earnings = await earningsOf(tx, invitation);
  const cents = earnings.reduce((sum, earning) => sum + earning.cents, 0);
  if (invitation.reward_approved === null) {
    await lockBudget(tx);
    if (await isOverBudget(tx, deps, cents)) return await waitForAdmin(tx, { id, at, cents });
  }
  await applyInvitation(tx, { id, transition: "complete", at, actor: null });
  if (invitation.reward_approved === false) return;
  for (const earning of earnings) await earnCredit(tx, deps, earning);
}

async function lockInvitation(tx: Tx, id: string) {
  return await tx
    .selectFrom("invitations")
    .innerJoin("bookings", "bookings.id", "discount_booking_id")
    .innerJoin("members as inviter", "inviter.id", "inviter_id")
    .select(["invitations.id", "inviter_id", "friend_id", "reward_approved", agreedPromo])
    .select("inviter.deleted_at as inviter_left_at")
    .where("invitations.id", "=", id)
    .where("invitations.state", "in", [...invitationTransitions.complete.from])
    .where(({ or, eb }) =>
      or([eb("waits_since", "is", null), eb("reward_approved", "is not", null)]),
    )
    .forUpdate("invitations")
    .executeTakeFirst();
}

type Invitation = NonNullable<Awaited<ReturnType<typeof lockInvitation>>>;

async function earningsOf(tx: Tx, { id, friend_id, promo, ...inviter }: Invitation) {
  const { inviter_id: memberId, inviter_left_at } = inviter;
  await lockDiscounts(tx, [memberId, ...(friend_id === null ? [] : [friend_id])]);
  const missed = await readMissedDiscount(tx, id);
  return [
    ...(inviter_left_at ? [] : [{ memberId, id: `${id}:purchase`, cents: inviterCents(promo) }]),
    ...(missed ? [missed] : []),
  ];
}

async function waitForAdmin(tx: Tx, { id, at, cents }: { id: string; at: Date; cents: number }) {
  await tx.updateTable("invitations").set({ waits_since: at }).where("id", "=", id).execute();
  const by = { at, actor: null, object: "invitation", objectId: id } as const;
  await recordAudit(tx, { ...by, verb: "wait for budget", detail: { cents } });
}

/** `id`: what the credit is for. Credit is given once for each `id`. */
type Earning = { memberId: string; id: string; cents: number };

export async function earnCredit(
  tx: Tx,
  { shop, clock }: Pick<Deps, "shop" | "clock">,
  { memberId, id, cents }: Earning,
): Promise<void> {
  if (cents === 0) return;
  const subject = { bookingId: null, currency: shop.currency, at: clock.now() };
  const key = `credit_earned:${id}`;
  const entries = { marketing: cents, credits: -cents };
  await postJournals(tx, subject, [
    { kind: "credit_earned", key, reference: null, memberId, entries },
  ]);
}
