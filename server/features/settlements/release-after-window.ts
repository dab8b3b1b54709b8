import { sql } from "kysely";
import { transact } from "../../db/database.ts";
import type { Deps } from "../../deps.ts";
import { latestHandover } from "../booking-lifecycle/complaint-times.ts";
import { applySettlement } from "../booking-lifecycle/settlement-transition.ts";
import { closeIfEmpty } from "../money/empty-settlements.ts";
import { listDue } from "../settlement-lifecycle/list-due-settlements.ts";
import { lockSettlement } from "../settlement-lifecycle/lock-settlement.ts";
import { postRelease } from "../settlement-lifecycle/release-journal.ts";
import { askForAccount } from "./ask-for-account.ts";
import { countReminders } from "./missed-handovers.ts";

const day = 24 * 3_600_000;

/** How many reminders a seller without an account has had so long after the release: after 1, 7 and each 30 days. */
function remindersAfter(milliseconds: number): number {
  const days = Math.floor(milliseconds / day);
  return (days >= 1 ? 1 : 0) + (days >= 7 ? 1 : 0) + Math.floor(days / 30);
}

/** Bookings whose buyer had the time to complain. */
export async function listEndedWindows(deps: Deps): Promise<string[]> {
  return await listDue(deps, { state: "complaint_window", until: windowsEndedFor(deps) });
}

/** Windows that began by then are over. */
function windowsEndedFor({ clock, config }: Deps): Date {
  return latestHandover(clock.now(), config.settlement);
}

/** The complaint window is over: the money is the seller's, and waits for their account if they have none. */
export async function releaseAfterWindow(deps: Deps, bookingId: string): Promise<void> {
  const at = deps.clock.now();
  await transact(deps.db, `releaseAfterWindow ${bookingId}`, async (tx) => {
    const settlement = await lockSettlement(tx, bookingId, "complaint_window");
    if (!settlement || settlement.since > windowsEndedFor(deps)) return;
    await applySettlement(tx, { bookingId, transition: "startRelease", at, actor: null });
    await postRelease(tx, deps, { bookingId, id: "window" });
    if (await closeIfEmpty(tx, { bookingId, at })) return;
    await askForAccount(tx, deps, bookingId);
  });
}

export async function listAccountReminders({ db, clock }: Deps): Promise<string[]> {
  const days = sql<number>`floor(extract(epoch from ${clock.now()}::timestamptz - settlements.since) / 86400)`;
  const rows = await db
    .selectFrom("settlements")
    .innerJoin("bookings", "bookings.id", "settlements.booking_id")
    .select("booking_id")
    .where("settlements.state", "=", "releasing")
    .where("bookings.payout_held_at", "is", null)
    .where(
      sql<boolean>`reminders < (${days} >= 1)::int + (${days} >= 7)::int + floor(${days} / 30)`,
    )
    .orderBy("settlements.since")
    .limit(200)
    .execute();
  return rows.map(({ booking_id }) => booking_id);
}

/** Reminds a seller whose money waits that they have to say where to send it. */
export async function remindOfAccount(deps: Deps, bookingId: string): Promise<void> {
  const now = deps.clock.now().getTime();
  await transact(deps.db, `remindOfAccount ${bookingId}`, async (tx) => {
    const settlement = await lockSettlement(tx, bookingId, "releasing");
    if (!settlement) return;
    const due = remindersAfter(now - settlement.since.getTime());
    if (due <= settlement.reminders) return;
    await countReminders(tx, bookingId, due);
    await askForAccount(tx, deps, bookingId);
  });
}
