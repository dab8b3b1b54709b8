import { sql } from "kysely";
import { maxContactsPerDay, maxHoldsPerNetwork } from "#contract/bookings.ts";
import type { Tx } from "../../db/database.ts";
import { AppError, TooManyRequests } from "../../errors.ts";
import type { Member } from "../members/members.ts";

const hour = 3_600_000;
const day = 24 * hour;

/** So many holds that came to nothing within a day are followed by a pause: an hour, doubled by each further one. */
const endedBeforePause = 3;

/**
 * Of all who book from one network at once, one after the other gets to this count, until their
 * transaction ends. Refuses `TOO_MANY_HOLDS`.
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
    .where("state", "=", "held")
    .where("held_until", ">", now)
    .executeTakeFirstOrThrow();
  if (Number(holds) < maxHoldsPerNetwork) return;
  const message = `${maxHoldsPerNetwork} laptops are on hold from your network already. Pay for one or let one go, or try again when one of those holds has ended.`;
  throw new AppError("TOO_MANY_HOLDS", message);
}

/** Refuses `TOO_MANY_REQUESTS` for a while after holds that ran out or that the buyer let go. */
export async function requireNoHoldCooldown(tx: Tx, buyer: Member, now: Date): Promise<void> {
  const ends = await endsOfHolds(tx, buyer, now);
  const last = Math.max(...ends);
  if (ends.length < endedBeforePause) return;
  const pause = Math.min(hour * 2 ** (ends.length - endedBeforePause), day);
  const left = last + pause - now.getTime();
  if (left <= 0) return;
  const message = `You let ${ends.length} holds go or run out within a day. You can book again in ${inWords(left)}.`;
  throw new TooManyRequests(Math.ceil(left / 1_000), message);
}

/** When the unpaid holds of the last day ended, in milliseconds; not those that the seller ended. */
async function endsOfHolds(tx: Tx, { id }: Member, now: Date): Promise<number[]> {
  const since = new Date(now.getTime() - day);
  const ranOut = await tx
    .selectFrom("bookings")
    .select("held_until as at")
    .where("buyer_id", "=", id)
    .where("state", "in", ["held", "expired"])
    .where("held_until", ">", since)
    .where("held_until", "<=", now)
    .execute();
  const letGo = await tx
    .selectFrom("bookings")
    .innerJoin("audit_log", "audit_log.object_id", "bookings.id")
    .select("audit_log.at")
    .where("buyer_id", "=", id)
    .where("state", "=", "cancelled")
    .where("verb", "=", "cancel")
    .where("actor_id", "=", id)
    .where("audit_log.at", ">", since)
    .execute();
  return [...ranOut, ...letGo].map(({ at }) => at.getTime());
}

function inWords(milliseconds: number): string {
  const minutes = Math.ceil(milliseconds / 60_000);
  if (minutes === 1) return "a minute";
  return minutes <= 90 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}

type Contact = { at: Date; buyer: Member; productId: string };

/** Whether a buyer who has not paid yet may see how to reach the seller of a product. */
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
