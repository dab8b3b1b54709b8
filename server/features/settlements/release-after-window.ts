import { transact } from "../../db/database.ts";
import type { Deps } from "../../deps.ts";
import { latestHandover } from "../booking-lifecycle/complaint-times.ts";
import { closeIfEmpty } from "../booking-lifecycle/empty-settlements.ts";
import { applySettlement } from "../booking-lifecycle/settlement-transition.ts";
import { listDue } from "../settlement-lifecycle/list-due-settlements.ts";
import { lockSettlement } from "../settlement-lifecycle/lock-settlement.ts";
import { postRelease } from "../settlement-lifecycle/release-journal.ts";
import { askForAccount } from "./ask-for-account.ts";
import { countReminders } from "./missed-handovers.ts";

const day = 24 * 3_600_000;
/** How long after the release a seller without an account is reminded. */
const reminderDays = [1, 7, 30];

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

export async function listAccountReminders(deps: Deps): Promise<string[]> {
  const now = deps.clock.now().getTime();
  const due = await Promise.all(
    reminderDays.map((days, index) => {
      const until = new Date(now - days * day);
      return listDue(deps, { state: "releasing", until, reminders: index + 1 });
    }),
  );
  return [...new Set(due.flat())];
}

/** Reminds a seller whose money waits that they have to say where to send it. */
export async function remindOfAccount(deps: Deps, bookingId: string): Promise<void> {
  const now = deps.clock.now().getTime();
  await transact(deps.db, `remindOfAccount ${bookingId}`, async (tx) => {
    const settlement = await lockSettlement(tx, bookingId, "releasing");
    if (!settlement) return;
    const waited = now - settlement.since.getTime();
    const passed = reminderDays.filter((days) => waited >= days * day).length;
    if (passed <= settlement.reminders) return;
    await countReminders(tx, bookingId, passed);
    await askForAccount(tx, deps, bookingId);
  });
}
