import { type RawBuilder, sql } from "kysely";
import { inviterCents, type PromoRules } from "#contract/invitation-rules.ts";
import type { SuspectInvitation } from "#contract/invitations.ts";
import { toDollars } from "#contract/price.ts";
import { type Tx, transact } from "../../db/database.ts";
import type { Member } from "../../db/member.ts";
import { newestFirst, type Page, type Paging } from "../../db/pagination.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { AppError, orNotFound } from "../../errors.ts";
import { refuseParties } from "../staff/conflict-of-interest.ts";
import { discountCentsOf, isOverBudget, whyNoDiscount } from "./discounts.ts";
import { applyInvitation } from "./invitation-transition.ts";
import { sharesTrace } from "./member-traces.ts";
import {
  claimMissedDiscount,
  lockMissedPurchase,
  selectMissedPurchase,
} from "./missed-discounts.ts";

export async function listSuspectInvitations(
  deps: Pick<Deps, "db" | "config" | "clock">,
  paging: Paging,
): Promise<Page<SuspectInvitation>> {
  const { db: tx } = deps;
  const query = tx
    .selectFrom("invitations")
    .innerJoin("members as inviter", "inviter.id", "inviter_id")
    .innerJoin("members as friend", "friend.id", "friend_id")
    .leftJoin("bookings", "bookings.id", "discount_booking_id")
    .leftJoin("products", "products.id", "bookings.product_id")
    .leftJoin("members as seller", "seller.id", "products.seller_id")
    .select(["discount_cents", "bookings.price_cents", "review_since as since"])
    .select(sql<PromoRules | null>`bookings.promo`.as("promo"))
    .select([person("inviter").as("inviter"), person("friend").as("friend")])
    .select(
      sql<Person | null>`case when seller.id is not null then ${person("seller")} end`.as("seller"),
    )
    .select(
      sharesTrace(
        sql.ref("seller.id"),
        sql`any(array[invitations.inviter_id, invitations.friend_id])`,
      ).as("seller_is_known"),
    )
    .select(["invitations.id", "invitations.state", "invitations.reason"])
    .select(["invited_at", "joined_at"])
    .where(waitsForAdmin);
  const order = { at: "invitations.invited_at", id: "invitations.id" } as const;
  const found = await newestFirst(query, { ...order, ...paging }, (row) => ({
    _id: row.id,
    inviter: row.inviter,
    friend: row.friend,
    reason: row.state === "review" ? (row.reason ?? "") : "budget",
    invitedAt: row.invited_at.toISOString(),
    joinedAt: (row.joined_at ?? row.invited_at).toISOString(),
    purchase: row.state === "review" ? toPurchase(row) : null,
    reward: row.state === "review" ? null : rewardOf(row),
    since: row.since,
  }));
  const items: SuspectInvitation[] = [];
  for (const { since, ...item } of found.items) {
    const hasMissed = item.purchase === null && item.reward === null;
    items.push({
      ...item,
      missed: hasMissed && since ? await readMissed(tx, deps, { ...item, since }) : null,
    });
  }
  return { ...found, items };
}

type Rewarded = {
  discount_cents: number | null;
  price_cents: number | null;
  promo: PromoRules | null;
};

/** Returns the reward in dollars, including a missed discount that the friend gets as credit. */
function rewardOf({ discount_cents, price_cents: priceCents, promo: rules }: Rewarded): number {
  if (priceCents === null || rules === null) return 0;
  const missedCents = discount_cents === 0 ? discountCentsOf({ priceCents, rules }) : 0;
  return toDollars(inviterCents(rules) + missedCents);
}

/**
 * Returns the rewards that an approval would give for a purchase made while the invitation waited,
 * or null if there is no such purchase.
 */
async function readMissed(
  tx: Tx,
  deps: Pick<Deps, "config" | "clock">,
  { friend, inviter, since }: Pick<SuspectInvitation, "friend" | "inviter"> & { since: Date },
): Promise<SuspectInvitation["missed"]> {
  const parties = { friendId: friend._id, inviterId: inviter._id, since };
  const purchase = await selectMissedPurchase(tx, parties).executeTakeFirst();
  if (!purchase || purchase.is_held) return null;
  const { price_cents: priceCents, seller_id: sellerId, promo: rules } = purchase;
  const noDiscount = await whyNoDiscount(tx, deps, { inviterId: inviter._id, sellerId });
  const price = toDollars(priceCents);
  // Without the discount, the purchase earns no reward for either side.
  if (noDiscount !== null)
    return { price, friendCredit: 0, noDiscount, inviterCredit: 0, overBudget: false };
  const friendCents = discountCentsOf({ priceCents, rules });
  const creditCents = inviterCents(rules);
  const overBudget = await isOverBudget(tx, deps, friendCents + creditCents);
  const [friendCredit, inviterCredit] = [toDollars(friendCents), toDollars(creditCents)];
  return { price, friendCredit, noDiscount, inviterCredit, overBudget };
}

type Person = SuspectInvitation["friend"];

/** SQL: a joined member. */
function person(alias: "inviter" | "friend" | "seller"): RawBuilder<Person> {
  const column = (name: string) => sql.ref(`${alias}.${name}`);
  return sql`json_build_object(
    '_id', ${column("id")}, 'name', ${column("name")}, 'email', ${column("email")})`;
}

type PurchaseRow = {
  discount_cents: number | null;
  seller: Person | null;
  seller_is_known: boolean;
};

function toPurchase(row: PurchaseRow): SuspectInvitation["purchase"] {
  const { discount_cents: cents, seller, seller_is_known: sellerIsKnown } = row;
  return seller && { discount: toDollars(cents ?? 0), seller, sellerIsKnown };
}

type Decision = { id: string; approve: boolean };

/**
 * Records an admin's decision. The inviter and the friend may refuse their own rewards, so that the
 * seller's payout needn't wait for other staff. Throws `NOT_FOUND`, `STALE` if no decision is
 * pending, or `FORBIDDEN`.
 */
export async function decideInvitation(
  deps: Deps,
  admin: Member,
  { id, approve }: Decision,
): Promise<void> {
  const at = deps.clock.now();
  await transact(deps.db, "decideInvitation", async (tx) => {
    const transition = approve ? "approve" : "refuse";
    const missed = approve ? await lockMissedPurchase(tx, id) : undefined;
    const found = await tx
      .selectFrom("invitations")
      .select(["state", "inviter_id", "friend_id", waitsForAdmin.as("waits")])
      .where("id", "=", id)
      .forUpdate()
      .executeTakeFirstOrThrow(orNotFound("There is no such invitation."));
    if (!found.waits)
      throw new AppError("STALE", "Someone has already decided about this invitation.");
    if (approve) refuseParties(admin, [found.inviter_id, found.friend_id]);
    if (found.state !== "review")
      return await decideReward(tx, { id, approve, at, actor: admin.id });
    await applyInvitation(tx, { id, transition, at, actor: admin.id });
    if (!approve) return;
    await tx
      .updateTable("invitations")
      .set({ approved_by: admin.id })
      .where("id", "=", id)
      .execute();
    if (missed) await claimMissedDiscount(tx, deps, { ...missed, id, at });
  });
}

type RewardDecision = Decision & { at: Date; actor: string };

/** Stores the decision. A job then gives or skips the reward. */
async function decideReward(tx: Tx, { id, approve, at, actor }: RewardDecision): Promise<void> {
  await tx
    .updateTable("invitations")
    .set({ reward_approved: approve })
    .where("id", "=", id)
    .execute();
  const verb = approve ? "approve reward" : "refuse reward";
  await recordAudit(tx, { at, actor, verb, object: "invitation", objectId: id });
}

export const waitsForAdmin = sql<boolean>`(invitations.state = 'review'
  or (waits_since is not null and reward_approved is null and invitations.state = 'joined'))`;
