import { sql } from "kysely";
import { maxContactsPerDay, maxContactsPerNetwork } from "#contract/bookings.ts";
import { type BookingState, liveBookingStates } from "#contract/life-cycle.ts";
import type { Tx } from "../../db/database.ts";
import { traceHash } from "../rewards/member-traces.ts";
import type { Hold } from "./hold-limits.ts";

const day = 24 * 3_600_000;

/**
 * Selects whether to show a seller's contact details before payment. Each buyer and each network
 * has a daily limit on the number of sellers.
 */
export function selectMayShowContact(tx: Tx, { buyer, network, at }: Hold, sellerId: string) {
  const since = new Date(at.getTime() - day);
  const shown = tx
    .selectFrom("bookings")
    .innerJoin("products", "products.id", "product_id")
    .where("contact_shown", "=", true)
    .where("state", "not in", ["paid", "completed"])
    .where("booked_at", ">", since);
  const isAmong = (max: number) =>
    sql<boolean>`count(distinct seller_id) < ${max} or coalesce(bool_or(seller_id = ${sellerId}), false)`;
  const toBuyer = shown
    .select(isAmong(maxContactsPerDay).as("may_show"))
    .where("buyer_id", "=", buyer.id);
  const toNetwork = shown
    .select(isAmong(maxContactsPerNetwork).as("may_show"))
    .where("buyer_id", "in", ({ selectFrom }) =>
      selectFrom("member_traces")
        .select("member_id")
        .where("kind", "=", "network")
        .where("trace_hash", "=", traceHash({ kind: "network", value: network ?? "" }))
        .where("seen_at", ">", since),
    );
  return tx.selectNoFrom(sql<boolean>`(${toBuyer}) and (${toNetwork})`.as("may_show"));
}

type BookingContact = { state: BookingState; contact_shown: boolean; blocked: boolean };

/** Whether contact details wait for payment, because a daily limit was reached at the hold. */
export function isContactAfterPayment({ state, contact_shown }: BookingContact): boolean {
  return state === "held" && !contact_shown;
}

/** Whether the buyer sees the seller's contact details. A block hides them until payment. */
export function showsContact({ state, contact_shown, blocked }: BookingContact): boolean {
  if (state === "held") return contact_shown && !blocked;
  return liveBookingStates.some((live) => live === state);
}
