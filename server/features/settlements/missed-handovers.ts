import { type Tx, transact } from "../../db/database.ts";
import type { Deps } from "../../deps.ts";
import { notifyParties } from "../booking-lifecycle/notify-parties.ts";
import { startRefund } from "../money/refund-booking.ts";
import { listDue } from "../settlement-lifecycle/list-due-settlements.ts";
import { lockSettlement } from "../settlement-lifecycle/lock-settlement.ts";
import { settlementEmails } from "./emails.ts";

/** Parts of the time for a handover after which buyer and seller are reminded: of 14 days, after 7 and 12. */
const reminderParts = [1 / 2, 6 / 7];

/** Bookings that were paid, and not handed over in time: the buyer gets all of their money back. */
export async function refundMissedHandover(deps: Deps, bookingId: string): Promise<void> {
  const at = deps.clock.now();
  await transact(deps.db, `refundMissedHandover ${bookingId}`, async (tx) => {
    const settlement = await lockSettlement(tx, bookingId, "held");
    if (!settlement || settlement.since > latestStart(deps)) return;
    await startRefund(tx, deps, {
      bookingId,
      at,
      actor: null,
      email: settlementEmails.notHandedOver,
    });
  });
}

export async function listMissedHandovers(deps: Deps): Promise<string[]> {
  return await listDue(deps, { state: "held", until: latestStart(deps) });
}

function latestStart({ clock, config }: Deps): Date {
  return new Date(clock.now().getTime() - config.settlement.handoverMs);
}

export async function listHandoverReminders(deps: Deps): Promise<string[]> {
  const now = deps.clock.now().getTime();
  const due = await Promise.all(
    reminderParts.map((part, index) => {
      const until = new Date(now - part * deps.config.settlement.handoverMs);
      return listDue(deps, { state: "held", until, reminders: index + 1 });
    }),
  );
  return [...new Set(due.flat())];
}

/** Reminds buyer and seller that the handover is due; one reminder for each time that has passed, or one for all that were missed. */
export async function remindOfHandover(deps: Deps, bookingId: string): Promise<void> {
  const { handoverMs } = deps.config.settlement;
  const now = deps.clock.now().getTime();
  await transact(deps.db, `remindOfHandover ${bookingId}`, async (tx) => {
    const settlement = await lockSettlement(tx, bookingId, "held");
    if (!settlement) return;
    const waited = now - settlement.since.getTime();
    const passed = reminderParts.filter((part) => waited >= part * handoverMs).length;
    if (passed <= settlement.reminders) return;
    await countReminders(tx, bookingId, passed);
    const until = new Date(settlement.since.getTime() + handoverMs);
    await notifyParties(tx, deps, { bookingId, email: settlementEmails.handoverDue, until });
  });
}

/** Records how many reminders of its state a settlement has had. */
export async function countReminders(tx: Tx, bookingId: string, reminders: number): Promise<void> {
  await tx
    .updateTable("settlements")
    .set({ reminders })
    .where("booking_id", "=", bookingId)
    .execute();
}
