import { inviterCents } from "#contract/invitation-rules.ts";
import { invitationTransitions } from "#contract/life-cycle.ts";
import type { Tx } from "../../db/database.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { postJournals } from "../ledger/post-journal.ts";
import { agreedPromo } from "../money/agreed-terms.ts";
import { lockDiscounts } from "./discounts.ts";
import { isOverBudget, lockBudget } from "./invitation-budget.ts";
import { applyInvitation } from "./invitation-transition.ts";
import { readMissedDiscount } from "./missed-discounts.ts";

/**
 * Completes an invitation, which claims its reward. Then gives the credit, unless an admin has
 * refused the reward. A reward over the shop's budget waits for an admin instead.
 */
export async function giveReward(tx: Tx, deps: Deps, id: string): Promise<void> {
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
    .select(["invitations.id", "inviter_id", "friend_id", "reward_approved", agreedPromo])
    .where("invitations.id", "=", id)
    .where("invitations.state", "in", [...invitationTransitions.complete.from])
    .where(({ or, eb }) =>
      or([eb("waits_since", "is", null), eb("reward_approved", "is not", null)]),
    )
    .forUpdate("invitations")
    .executeTakeFirst();
}

type Invitation = NonNullable<Awaited<ReturnType<typeof lockInvitation>>>;

/**
 * The credit to give: to the inviter for the invitation and the purchase, and to the friend for a
 * missed discount.
 */
async function earningsOf(tx: Tx, { id, inviter_id: memberId, friend_id, promo }: Invitation) {
  await lockDiscounts(tx, [memberId, ...(friend_id === null ? [] : [friend_id])]);
  const missed = await readMissedDiscount(tx, id);
  return [
    { memberId, id: `${id}:purchase`, cents: inviterCents(promo) },
    ...(missed ? [missed] : []),
  ];
}

async function waitForAdmin(tx: Tx, { id, at, cents }: { id: string; at: Date; cents: number }) {
  await tx.updateTable("invitations").set({ waits_since: at }).where("id", "=", id).execute();
  const by = { at, actor: null, object: "invitation", objectId: id } as const;
  await recordAudit(tx, { ...by, verb: "wait for budget", detail: { cents } });
}

/** `id`: identifies what the credit is for. */
type Earning = { memberId: string; id: string; cents: number };

/** Gives a member credit, once for each `id`. */
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
