import type { Deps } from "../../deps.ts";

/** Complaints that nobody has decided in time, and about which no bank is deciding. */
export async function listOverdueComplaints({ db, clock, config }: Deps): Promise<string[]> {
  const rows = await db
    .selectFrom("complaints")
    .innerJoin("bookings", "bookings.id", "complaints.booking_id")
    .select("complaints.booking_id")
    .where("complaints.decided_at", "is", null)
    .where("bookings.payout_held_at", "is", null)
    .where("opened_at", "<=", new Date(clock.now().getTime() - config.settlement.undecidedMs))
    .orderBy("opened_at")
    .limit(200)
    .execute();
  return rows.map(({ booking_id }) => booking_id);
}
