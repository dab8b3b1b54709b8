import { sql } from "kysely";
import { maxHoldsPerNetwork, maxUnpaidHolds } from "#contract/bookings.ts";
import type { Tx } from "../../db/database.ts";
import type { Member } from "../../db/member.ts";
import { AppError, TooManyRequests } from "../../errors.ts";
import { isActiveHold, isOverdue } from "./booking-columns.ts";

const hour = 3_600_000;
const day = 24 * hour;

/**
 * The number of ended holds in a day that starts a cooldown of an hour. Each further ended hold
 * doubles the cooldown, up to a day.
 */
const endedBeforeCooldown = 3;

export type Hold = { buyer: Member; network: string | null; at: Date };

export function countHolds(tx: Tx, { buyer, at }: Hold) {
  return holdsAt(tx, at).where("buyer_id", "=", buyer.id);
}

export function countNetworkHolds(tx: Tx, { network, at }: Hold) {
  return holdsAt(tx, at).where("network", "=", network);
}

function holdsAt(tx: Tx, at: Date) {
  return tx
    .selectFrom("bookings")
    .select(({ fn }) => fn.countAll<string>().as("holds"))
    .where(isActiveHold(at));
}

/** SQL: locks a network until the transaction ends, so that its bookings wait for each other. */
export function lockNetwork(network: string | null) {
  return sql`pg_advisory_xact_lock(hashtextextended(${`holds ${network}`}, 0))`;
}

/** Throws `TOO_MANY_HOLDS`. */
export function requireBelowHoldLimit(holds: number): void {
  if (holds < maxUnpaidHolds) return;
  const message = `You hold ${maxUnpaidHolds} laptops already. Pay for one or cancel one before you book another.`;
  throw new AppError("TOO_MANY_HOLDS", message);
}

/** Throws `TOO_MANY_HOLDS`. */
export function requireNetworkBelowHoldLimit(holds: number): void {
  if (holds < maxHoldsPerNetwork) return;
  const message = `${maxHoldsPerNetwork} laptops are already on hold from your network. Pay for one or cancel one, or try again when one of those holds has ended.`;
  throw new AppError("TOO_MANY_HOLDS", message);
}

/** Holds that expired or that the buyer canceled in the last day. `last`: when the last ended. */
type EndedHolds = { count: number; last: string | null };

/** Throws `TOO_MANY_REQUESTS` during the cooldown. */
export function requireNoHoldCooldown({ count, last }: EndedHolds, now: Date): void {
  if (count < endedBeforeCooldown || last === null) return;
  const cooldown = Math.min(hour * 2 ** (count - endedBeforeCooldown), day);
  const left = new Date(last).getTime() + cooldown - now.getTime();
  if (left <= 0) return;
  const message = `You canceled ${count} holds or let them expire within a day. You can book again in ${formatWait(left)}.`;
  throw new TooManyRequests(Math.ceil(left / 1_000), message);
}

export function selectEndedHolds(tx: Tx, { buyer, at }: Hold) {
  const since = new Date(at.getTime() - day);
  const expired = tx
    .selectFrom("bookings")
    .select("held_until as at")
    .where("buyer_id", "=", buyer.id)
    .where(({ eb, or }) => or([eb("state", "=", "expired"), isOverdue(at)]))
    .where("held_until", ">", since);
  const cancelled = tx
    .selectFrom("bookings")
    .innerJoin("audit_log", "audit_log.object_id", "bookings.id")
    .select("audit_log.at")
    .where("buyer_id", "=", buyer.id)
    .where("state", "=", "cancelled")
    .where("verb", "=", "cancel")
    .where("actor_id", "=", buyer.id)
    .where("audit_log.at", ">", since);
  return tx
    .selectFrom(expired.unionAll(cancelled).as("ended"))
    .select(({ fn }) => [fn.countAll<number>().as("count"), fn.max("at").as("last")]);
}

function formatWait(milliseconds: number): string {
  const minutes = Math.ceil(milliseconds / 60_000);
  if (minutes === 1) return "a minute";
  return minutes <= 90 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}
