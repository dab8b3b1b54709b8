import { maxRewardsPerMonth } from "#contract/invitation-rules.ts";
import { invitationTransitions } from "#contract/life-cycle.ts";
import type { Tx } from "../../db/database.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { lockDiscounts } from "../credits/discounts.ts";
import { earnCredit } from "../credits/earn-credit.ts";
import { isOverBudget, lockBudget } from "../credits/invitation-budget.ts";
import { applyInvitation } from "./invitation-transition.ts";
import { readMissedDiscount } from "./missed-discounts.ts";

const monthMs = 30 * 24 * 3_600_000;

export type Reward = { id: string; transition: "start" | "complete"; dollars: number };

const names = { start: "hold", complete: "purchase" };

/**
 * Moves an invitation on, which is the claim of its reward, and gives the credit, unless an admin has refused it. Over the
 * shop's budget it waits for an admin instead.
 */
export async function giveReward(tx: Tx, deps: Deps, reward: Reward): Promise<void> {
  const { id, transition } = reward;
  const at = deps.clock.now();
  const invitation = await lockInvitation(tx, reward);
  if (!invitation) return;
  const isRepeated = transition === "start" && (await wasStarted(tx, id));
  const earnings = isRepeated ? [] : await earningsOf(tx, deps, reward, invitation);
  const cents = earnings.reduce((sum, earning) => sum + earning.cents, 0);
  if (invitation.reward_approved === null && cents > 0) {
    await lockBudget(tx, deps);
    if (await isOverBudget(tx, deps, cents)) return await waitForAdmin(tx, { id, at, cents });
  }
  await applyInvitation(tx, { id, transition, at, actor: null });
  // What an admin decided was about the next reward.
  if (isRepeated) return;
  await tx
    .updateTable("invitations")
    .set({ waits_since: null, reward_approved: null })
    .where("id", "=", id)
    .where("waits_since", "is not", null)
    .execute();
  if (invitation.reward_approved === false) return;
  for (const earning of earnings) await earnCredit(tx, deps, earning);
}

/** Whether its first reward was settled before: an invitation that was in review since then starts again. */
async function wasStarted(tx: Tx, id: string): Promise<boolean> {
  const found = await tx
    .selectFrom("audit_log")
    .select("id")
    .where("object_id", "=", id)
    .where("verb", "=", "start")
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

async function lockInvitation(tx: Tx, { id, transition }: Reward) {
  return await tx
    .selectFrom("invitations")
    .select(["inviter_id", "friend_id", "reward_approved"])
    .where("id", "=", id)
    .where("state", "in", [...invitationTransitions[transition].from])
    .where(({ or, eb }) =>
      or([eb("waits_since", "is", null), eb("reward_approved", "is not", null)]),
    )
    .forUpdate()
    .executeTakeFirst();
}

type Invitation = NonNullable<Awaited<ReturnType<typeof lockInvitation>>>;

/** What the inviter gets, unless they have had all of a month, and what the friend does whose purchase missed the discount. */
async function earningsOf(
  tx: Tx,
  deps: Deps,
  { id, transition, dollars }: Reward,
  { inviter_id: memberId, friend_id }: Invitation,
) {
  await lockDiscounts(tx, [memberId, ...(friend_id === null ? [] : [friend_id])]);
  const missed = transition === "complete" ? await readMissedDiscount(tx, deps, id) : undefined;
  const own = { memberId, id: `${id}:${names[transition]}`, cents: Math.round(dollars * 100) };
  const hasEnough = await hasAllRewards(tx, memberId, deps.clock.now());
  return [...(hasEnough ? [] : [own]), ...(missed ? [missed] : [])];
}

async function waitForAdmin(tx: Tx, { id, at, cents }: { id: string; at: Date; cents: number }) {
  await tx.updateTable("invitations").set({ waits_since: at }).where("id", "=", id).execute();
  const by = { at, actor: null, object: "invitation", objectId: id } as const;
  await recordAudit(tx, { ...by, verb: "wait for budget", detail: { cents } });
}

/** Whether an inviter has had all rewards of a month. The caller has locked their credit account. */
async function hasAllRewards(tx: Tx, memberId: string, at: Date): Promise<boolean> {
  const { rewards } = await tx
    .selectFrom("ledger_journals")
    .select(({ fn }) => fn.countAll<string>().as("rewards"))
    .where("member_id", "=", memberId)
    .where("kind", "=", "credit_earned")
    // Their own discount as a friend is no reward.
    .where("idempotency_key", "not like", "%:friend")
    .where("at", ">", new Date(at.getTime() - monthMs))
    .executeTakeFirstOrThrow();
  return Number(rewards) >= maxRewardsPerMonth;
}
