import { sql } from "kysely";
import { maxContactsPerDay, maxHoldsPerNetwork } from "#contract/bookings.ts";
import type { Tx } from "../../db/database.ts";
import type { Member } from "../../db/member.ts";
import { AppError, TooManyRequests } from "../../errors.ts";
import { isActiveHold, isOverdue } from "../booking-lifecycle/overdue.ts";

const hour = 3_600_000;
const day = 24 * hour;

/** From this many unpaid holds within a day on, a cooldown: an hour, doubled by each further hold, at most a day. */
const endedBeforeCooldown = 3;

/**
 * Refuses `TOO_MANY_HOLDS` at the limit of the network. Takes an advisory lock until the transaction ends,
 * so that concurrent bookings from one network are counted one by one.
 */
export async function requireNetworkBelowHoldLimit(
  tx: Tx,
  network: string | null,
  now: Date,
): Promise<void> {
  if (network === null) return;
  await sql`select pg_advisory_xact_lock(hashtextextended(${`holds ${network}`}, 0))`.execute(tx);
  const { holds } = await tx
    .selectFrom("bookings")
    .select(({ fn }) => fn.countAll<string>().as("holds"))
    .where("network", "=", network)
    .where(isActiveHold(now))
    .executeTakeFirstOrThrow();
  if (Number(holds) < maxHoldsPerNetwork) return;
  const message = `${maxHoldsPerNetwork} laptops are already on hold from your network. Pay for one or cancel one, or try again when one of those holds has ended.`;
  throw new AppError("TOO_MANY_HOLDS", message);
}

/** Refuses `TOO_MANY_REQUESTS` for a while after holds that expired or that the buyer cancelled. */
export async function requireNoHoldCooldown(tx: Tx, buyer: Member, now: Date): Promise<void> {
  const ends = await endsOfHolds(tx, buyer, now);
  const last = Math.max(...ends);
  if (ends.length < endedBeforeCooldown) return;
  const cooldown = Math.min(hour * 2 ** (ends.length - endedBeforeCooldown), day);
  const left = last + cooldown - now.getTime();
  if (left <= 0) return;
  const message = `You cancelled ${ends.length} holds or let them expire within a day. You can book again in ${formatWait(left)}.`;
  throw new TooManyRequests(Math.ceil(left / 1_000), message);
}

/** When the buyer's unpaid holds of the last day ended, in milliseconds since the epoch; not those the seller cancelled. */
async function endsOfHolds(tx: Tx, { id }: Member, now: Date): Promise<number[]> {
  const since = new Date(now.getTime() - day);
  const expired = await tx
    .selectFrom("bookings")
    .select("held_until as at")
    .where("buyer_id", "=", id)
    .where(({ eb, or }) => or([eb("state", "=", "expired"), isOverdue(now)]))
    .where("held_until", ">", since)
    .execute();
  const cancelled = await tx
    .selectFrom("bookings")
    .innerJoin("audit_log", "audit_log.object_id", "bookings.id")
    .select("audit_log.at")
    .where("buyer_id", "=", id)
    .where("state", "=", "cancelled")
    .where("verb", "=", "cancel")
    .where("actor_id", "=", id)
    .where("audit_log.at", ">", since)
    .execute();
  return [...expired, ...cancelled].map(({ at }) => at.getTime());
}

function formatWait(milliseconds: number): string {
  const minutes = Math.ceil(milliseconds / 60_000);
  if (minutes === 1) return "a minute";
  return minutes <= 90 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}

type Contact = { at: Date; buyer: Member; productId: string };

/** Whether the buyer may see the seller's contact details before paying (`maxContactsPerDay`). */
export async function mayShowContact(tx: Tx, { at, buyer, productId }: Contact): Promise<boolean> {
  const shown = await tx
    .selectFrom("bookings")
    .innerJoin("products", "products.id", "product_id")
    .select("seller_id")
    .distinct()
    .where("buyer_id", "=", buyer.id)
    .where("contact_shown", "=", true)
    .where("state", "not in", ["paid", "completed"])
    .where("booked_at", ">", new Date(at.getTime() - day))
    .execute();
  const { seller_id } = await tx
    .selectFrom("products")
    .select("seller_id")
    .where("id", "=", productId)
    .executeTakeFirstOrThrow();
  return shown.length < maxContactsPerDay || shown.some((one) => one.seller_id === seller_id);
}
