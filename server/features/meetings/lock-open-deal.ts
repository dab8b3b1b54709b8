import { sql } from "kysely";
import { openBookingStates } from "#contract/life-cycle.ts";
import type { Tx } from "../../db/database.ts";
import type { Member } from "../../db/member.ts";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";
import { isBlocked } from "../blocks/lock-pair.ts";
import { shownState } from "../booking-lifecycle/overdue.ts";

type OwnDeal = { member: Member; bookingId: string };

/**
 * Locks a held or paid deal of the member's, as buyer or seller. Refuses `STALE`, `NOT_FOUND`, and `BLOCKED` before it is
 * paid for.
 */
export async function lockOpenDeal(
  tx: Tx,
  { clock }: Pick<Deps, "clock">,
  { member, bookingId }: OwnDeal,
): Promise<void> {
  const deal = await tx
    .selectFrom("bookings")
    .innerJoin("products", "products.id", "bookings.product_id")
    .select(shownState(clock.now()).as("state"))
    .select(isBlocked(sql.ref("buyer_id"), sql.ref("seller_id")).as("blocked"))
    .where("bookings.id", "=", bookingId)
    .where(({ eb, or }) =>
      or([eb("bookings.buyer_id", "=", member.id), eb("products.seller_id", "=", member.id)]),
    )
    .forUpdate("bookings")
    .executeTakeFirst();
  if (!deal) throw new AppError("NOT_FOUND", "You have no such deal.");
  if (!openBookingStates.some((state) => state === deal.state))
    throw new AppError("STALE", "This laptop is no longer waiting to be handed over.");
  if (deal.state === "held" && deal.blocked)
    throw new AppError("BLOCKED", "One of you has blocked the other.");
}
