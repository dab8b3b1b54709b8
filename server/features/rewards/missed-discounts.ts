import { sql } from "kysely";
import { discountCentsOf } from "#contract/invitation-rules.ts";
import { type Tx, transact } from "../../db/database.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { agreedPromo, promoOverCents } from "../deals/agreed-terms.ts";
import { lockDiscounts, whyNoDiscount } from "./discounts.ts";

const batchSize = 200;

/** From `since` until `until`, the invitation waited for an admin. */
type Parties = { friendId: string; inviterId: string; since: Date; until: Date };

/** SQL: the time at which a booking's amount due was fixed, with or without a reduction. */
const pricedAt = sql<Date>`coalesce(amount_fixed_at, booked_at)`;

/** The first purchase above the minimum price that got no discount because of the wait. */
export function selectMissedPurchase(tx: Tx, { friendId, inviterId, since, until }: Parties) {
  return tx
    .selectFrom("bookings")
    .innerJoin("products", "products.id", "product_id")
    .leftJoin("settlements", "settlements.booking_id", "bookings.id")
    .select(["bookings.id", "bookings.price_cents", "products.seller_id", agreedPromo])
    .where("buyer_id", "=", friendId)
    .where("bookings.state", "in", ["paid", "completed"])
    .where(pricedAt, ">=", since)
    .where("booked_at", "<=", until)
    .where("discount_cents", "=", 0)
    .where("price_cents", ">", promoOverCents)
    .where("products.seller_id", "<>", inviterId)
    .where(
      sql<boolean>`coalesce(settlement_state(settlements), 'held') not in ('refunding', 'refunded')`,
    )
    .orderBy("booked_at")
    .orderBy("bookings.id")
    .limit(1);
}

export async function listMissedDiscounts(tx: Tx): Promise<string[]> {
  const rows = await tx
    .selectFrom("invitations")
    .select("id")
    .where("missed_discount_until", "is not", null)
    .orderBy("missed_discount_until")
    .limit(batchSize)
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * The discount counts toward the limits immediately, but is paid as credit with the inviter's
 * reward. If a limit is already reached, the purchase gets no discount.
 */
export async function claimMissedDiscount(deps: Deps, id: string): Promise<void> {
  const at = deps.clock.now();
  await transact(deps.db, `claimMissedDiscount ${id}`, async (tx) => {
    const found = await readMissed(tx, id);
    if (!found) return;
    // Locks the purchase: bookings are locked before invitations (decisions/database).
    const purchase = await selectMissedPurchase(tx, found).forUpdate("bookings").executeTakeFirst();
    if (purchase === undefined && (await mayStillBePaid(tx, found))) return;
    const { numUpdatedRows } = await tx
      .updateTable("invitations")
      .set({ missed_discount_until: null })
      .where("id", "=", id)
      .where("missed_discount_until", "is not", null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n || !purchase || !found.isOpen) return;
    const { inviterId, friendId } = found;
    await lockDiscounts(tx, [inviterId, friendId, purchase.seller_id]);
    const between = { inviterId, sellerId: purchase.seller_id };
    const noDiscount = await whyNoDiscount(tx, deps, between);
    const by = { at, actor: null, object: "invitation", objectId: id } as const;
    await recordAudit(tx, { ...by, verb: "give missed discount", detail: { noDiscount } });
    if (noDiscount !== null) return;
    await tx
      .updateTable("invitations")
      .set({ discount_booking_id: purchase.id })
      .where("id", "=", id)
      .execute();
  });
}

async function readMissed(tx: Tx, id: string) {
  const row = await tx
    .selectFrom("invitations")
    .select(["friend_id", "inviter_id", "missed_discount_until", "state", "discount_booking_id"])
    .select("invitations.review_since as since")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  const { friend_id: friendId, inviter_id: inviterId, since, missed_discount_until: until } = row;
  if (friendId === null || since === null || until === null) return undefined;
  const isOpen = row.state === "joined" && row.discount_booking_id === null;
  return { friendId, inviterId, since, until, isOpen };
}

/** Whether the friend can still pay a hold at the price without a discount. */
async function mayStillBePaid(tx: Tx, { friendId, since, until }: Parties): Promise<boolean> {
  const held = await tx
    .selectFrom("bookings")
    .select("id")
    .where("buyer_id", "=", friendId)
    .where("state", "=", "held")
    .where(pricedAt, ">=", since)
    .where("booked_at", "<=", until)
    .where("intent_id", "is not", null)
    .where("discount_cents", "=", 0)
    .executeTakeFirst();
  return held !== undefined;
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
