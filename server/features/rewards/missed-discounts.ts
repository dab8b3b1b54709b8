import { sql } from "kysely";

import type { Tx } from "../../db/database.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { agreedPromo, promoOverCents } from "../deals/fee-times-and-promo.ts";
import { discountCentsOf, lockDiscounts, whyNoDiscount } from "./discounts.ts";

/** `since`: when the invitation began to wait for an admin. */
type Parties = { friendId: string; inviterId: string; since: Date };

const pricedAt = sql<Date>`coalesce(amount_fixed_at, booked_at)`;

/**
 * Selects a friend's first purchase without a discount, or else the first such hold with an open
 * payment. Both were priced at or after `since`, above the minimum price.
 */
export function selectMissedPurchase(tx: Tx, { friendId, inviterId, since }: Parties) {
  const isHeld = sql<boolean>`bookings.state = 'held'`;
  return tx
    .selectFrom("bookings")
    .innerJoin("products", "products.id", "product_id")
    .leftJoin("settlements", "settlements.booking_id", "bookings.id")
    .select(["bookings.id", "bookings.price_cents", "products.seller_id", agreedPromo])
    .select(isHeld.as("is_held"))
    .where("buyer_id", "=", friendId)
    .where("bookings.state", "in", ["held", "paid", "completed"])
    .where("bookings.intent_id", "is not", null)
    .where(pricedAt, ">=", since)
    .where("discount_cents", "=", 0)
    .where("price_cents", ">", promoOverCents)
    .where("products.seller_id", "<>", inviterId)
    .where(
      sql<boolean>`coalesce(settlement_state(settlements), 'held') not in ('refunding', 'refunded')`,
    )
    .orderBy(isHeld)
    .orderBy("booked_at")
    .orderBy("bookings.id")
    .limit(1);
}

/** Locks the purchase, because bookings are locked before invitations (decisions/database). */
export async function lockMissedPurchase(tx: Tx, invitationId: string) {
  const waiting = await tx
    .selectFrom("invitations")
    .select(["friend_id", "inviter_id", "review_since"])
    .where("id", "=", invitationId)
    .where("state", "=", "review")
    .where("discount_booking_id", "is", null)
    .executeTakeFirst();
  if (!waiting?.friend_id || !waiting.review_since) return undefined;
  const { friend_id: friendId, inviter_id: inviterId, review_since: since } = waiting;
  const missed = await selectMissedPurchase(tx, { friendId, inviterId, since })
    .forUpdate("bookings")
    .executeTakeFirst();
  return missed && { bookingId: missed.id, sellerId: missed.seller_id, friendId, inviterId };
}

type MissedPurchase = NonNullable<Awaited<ReturnType<typeof lockMissedPurchase>>>;
type Claim = MissedPurchase & { id: string; at: Date };

/**
 * Gives a missed discount, unless a limit is reached. The discount counts toward the limits
 * immediately, but is paid as credit with the inviter's reward.
 */
export async function claimMissedDiscount(
  tx: Tx,
  deps: Deps,
  { id, at, bookingId, sellerId, friendId, inviterId }: Claim,
): Promise<void> {
  await lockDiscounts(tx, [inviterId, friendId, sellerId]);
  const noDiscount = await whyNoDiscount(tx, deps, { inviterId, sellerId });
  const by = { at, actor: null, object: "invitation", objectId: id } as const;
  await recordAudit(tx, { ...by, verb: "give missed discount", detail: { noDiscount } });
  if (noDiscount !== null) return;
  await tx
    .updateTable("invitations")
    .set({ discount_booking_id: bookingId })
    .where("id", "=", id)
    .execute();
}

export async function readMissedDiscount(tx: Tx, invitationId: string) {
  const missed = await tx
    .selectFrom("invitations")
    .innerJoin("bookings", "bookings.id", "discount_booking_id")
    .innerJoin("members", "members.id", "friend_id")
    .select(["members.id as memberId", "price_cents as priceCents", agreedPromo])
    .where("invitations.id", "=", invitationId)
    .where("discount_cents", "=", 0)
    .where("members.deleted_at", "is", null)
    .where("members.suspended_at", "is", null)
    .executeTakeFirst();
  if (!missed) return undefined;
  const { memberId, priceCents, promo: rules } = missed;
  const cents = discountCentsOf({ priceCents, rules });
  return { memberId, id: `${invitationId}:friend`, cents };
}
