import { sql } from "kysely";
import { isOpenBooking } from "#contract/life-cycle.ts";
import type { Tx } from "../../db/database.ts";
import type { Member } from "../../db/member.ts";
import type { Deps } from "../../deps.ts";
import { AppError, orNotFound } from "../../errors.ts";
import { isBlocked } from "../messages/block-member.ts";
import { isPartyTo, shownState } from "./booking-columns.ts";

type OwnDeal = { member: Member; bookingId: string };

/** Locks a deal of which the member is the buyer or seller. Throws `NOT_FOUND`. */
export async function lockOwnDeal(
  tx: Tx,
  { clock }: Pick<Deps, "clock">,
  { member, bookingId }: OwnDeal,
) {
  const deal = await tx
    .selectFrom("bookings")
    .innerJoin("products", "products.id", "bookings.product_id")
    .leftJoin("complaints", "complaints.booking_id", "bookings.id")
    .select(["bookings.state", "bookings.buyer_id", "products.seller_id", "complaints.return_by"])
    .select(["bookings.complaint_minutes", shownState(clock.now()).as("shown_state")])
    .select(isBlocked(sql.ref("buyer_id"), sql.ref("seller_id")).as("blocked"))
    .where("bookings.id", "=", bookingId)
    .where(isPartyTo(member.id))
    .forUpdate("bookings")
    .executeTakeFirstOrThrow(noSuchDeal);
  return { ...deal, bookingId, role: deal.buyer_id === member.id ? "buyer" : "seller" } as const;
}

export const noSuchDeal = orNotFound("You have no such deal.");

/** Locks a held or paid deal. Throws `NOT_FOUND`, `STALE` or, while unpaid, `BLOCKED`. */
export async function lockOpenDeal(tx: Tx, deps: Pick<Deps, "clock">, own: OwnDeal): Promise<void> {
  const deal = await lockOwnDeal(tx, deps, own);
  if (!isOpenBooking(deal.shown_state))
    throw new AppError("STALE", "This laptop is no longer waiting to be handed over.");
  if (deal.state === "held" && deal.blocked)
    throw new AppError("BLOCKED", "One of you has blocked the other.");
}

/** Returns whether both members are active and neither has blocked the other. If so, locks both. */
export async function lockActiveParties(
  tx: Tx,
  { buyerId, productId }: { buyerId: string; productId: string },
): Promise<boolean> {
  const seller = sql`(select seller_id from products where id = ${productId})`;
  const members = await tx
    .selectFrom("members")
    .select("id")
    .where(({ eb, or }) => or([eb("id", "=", buyerId), sql<boolean>`id = ${seller}`]))
    .where("deleted_at", "is", null)
    .where("suspended_at", "is", null)
    .where(({ not }) => not(isBlocked(sql`${buyerId}::uuid`, seller)))
    .forShare()
    .execute();
  return members.length === 2;
}
