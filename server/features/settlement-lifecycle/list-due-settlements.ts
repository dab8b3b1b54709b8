import type { SettlementState } from "#contract/life-cycle.ts";
import type { Deps } from "../../deps.ts";

/** One run of the job handles at most this many of each kind; it runs every minute. */
const batchSize = 200;

type Due = {
  state: SettlementState;
  /** Since when they have been in it, at the latest. */
  until: Date;
  /** Only those that got fewer reminders in this state. */
  reminders?: number;
};

/** The bookings whose money has waited in a state until now, and about which no bank is deciding; the longest first. */
export async function listDue(
  { db }: Pick<Deps, "db">,
  { state, until, reminders }: Due,
): Promise<string[]> {
  const rows = await db
    .selectFrom("settlements")
    .innerJoin("bookings", "bookings.id", "settlements.booking_id")
    .select("booking_id")
    .where("settlements.state", "=", state)
    .where("settlements.since", "<=", until)
    .where("bookings.payout_held_at", "is", null)
    .$if(reminders !== undefined, (query) => query.where("reminders", "<", reminders ?? 0))
    .orderBy("settlements.since")
    .limit(batchSize)
    .execute();
  return rows.map(({ booking_id }) => booking_id);
}
