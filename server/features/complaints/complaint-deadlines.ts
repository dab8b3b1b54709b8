import { type Tx, transact } from "../../db/database.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { runParts } from "../../jobs/define-jobs.ts";
import { complaintTimes } from "../deals/complaint-times.ts";
import { notifyParties } from "../deals/notify-parties.ts";
import { listAdmins } from "../staff/change-staff-role.ts";
import { applyDecision } from "./apply-decision.ts";
import { complaintEmails, complaintToDecideEmail, overdueDecisionEmail } from "./emails.ts";

/** Job `meetComplaintDeadlines`, every minute. */
export async function meetComplaintDeadlines(deps: Deps): Promise<void> {
  await runParts("met", async (attempt) => {
    for (const bookingId of await listDueComplaints(deps))
      await attempt(() => meetComplaintDeadline(deps, bookingId));
  });
}

/** Skips deals under dispute. */
async function listDueComplaints({ db, clock, config }: Deps): Promise<string[]> {
  const { answerMs, answerReminderMs, decisionMs, undecidedMs } = config.settlement;
  const before = (milliseconds: number) => new Date(clock.now().getTime() - milliseconds);
  const rows = await db
    .selectFrom("complaints")
    .innerJoin("bookings", "bookings.id", "complaints.booking_id")
    .select("complaints.booking_id")
    .where("complaints.decided_at", "is", null)
    .where("bookings.payout_held_at", "is", null)
    .where(({ and, or, eb }) =>
      or([
        and([
          eb("answer", "is", null),
          eb("seller_reminded_at", "is", null),
          eb("admins_asked_at", "is", null),
          eb("opened_at", "<=", before(answerMs - answerReminderMs)),
        ]),
        and([
          eb("admins_asked_at", "is", null),
          eb("opened_at", "<=", before(answerMs)),
          or([eb("answered_at", "is", null), eb("answered_at", "<=", before(answerMs))]),
        ]),
        and([
          eb("admins_reminded_at", "is", null),
          eb("admins_asked_at", "<=", before(decisionMs)),
        ]),
        eb("opened_at", "<=", before(undecidedMs)),
      ]),
    )
    .orderBy("opened_at")
    .limit(200)
    .execute();
  return rows.map(({ booking_id }) => booking_id);
}

/** Takes the step that is due. If nobody decides in time, the buyer gets a full refund. */
export async function meetComplaintDeadline(deps: Deps, bookingId: string): Promise<void> {
  const at = deps.clock.now();
  await transact(deps.db, `meetComplaintDeadline ${bookingId}`, async (tx) => {
    const complaint = await lockOpen(tx, bookingId);
    if (!complaint) return;
    const times = complaintTimes(complaint, deps.config.settlement);
    if (times.refundAt <= at) {
      const words = "Nobody decided in time, so the buyer gets their money back.";
      const decision = { bookingId, refundCents: complaint.price_cents, words, actor: null };
      return await applyDecision(tx, deps, decision);
    }
    if (complaint.admins_asked_at === null && times.adminsFrom <= at) {
      await askAdminsToDecide(tx, deps, bookingId);
      return await notifyParties(tx, deps, { bookingId, email: complaintEmails.forAdmins });
    }
    const isSellersTurn = complaint.answer === null && at < times.answerBy;
    if (isSellersTurn && !complaint.seller_reminded_at && times.remindSellerAt <= at) {
      await tx
        .updateTable("complaints")
        .set({ seller_reminded_at: at })
        .where("booking_id", "=", bookingId)
        .execute();
      const until = times.answerBy;
      return await notifyParties(tx, deps, { bookingId, email: complaintEmails.reminder, until });
    }
    if (complaint.admins_asked_at && !complaint.admins_reminded_at && times.decideBy <= at) {
      await remindAdminsToDecide(tx, deps, { bookingId, refundAt: times.refundAt });
      const by = { at, actor: null, object: "booking", objectId: bookingId } as const;
      await recordAudit(tx, { ...by, verb: "remind admins", detail: {} });
    }
  });
}

/** Locks the booking before the complaint (decisions/database). */
async function lockOpen(tx: Tx, bookingId: string) {
  return await tx
    .selectFrom("bookings")
    .innerJoin("complaints", "complaints.booking_id", "bookings.id")
    .selectAll("complaints")
    .select("bookings.price_cents")
    .where("bookings.id", "=", bookingId)
    .where("bookings.payout_held_at", "is", null)
    .where("complaints.decided_at", "is", null)
    .forUpdate()
    .executeTakeFirst();
}

/** Emails owners and support, once. */
export async function askAdminsToDecide(tx: Tx, deps: Deps, bookingId: string): Promise<void> {
  const { clock, config, emailQueue } = deps;
  const complaint = await tx
    .updateTable("complaints")
    .set({ admins_asked_at: clock.now() })
    .where("booking_id", "=", bookingId)
    .where("admins_asked_at", "is", null)
    .returningAll()
    .executeTakeFirst();
  if (!complaint) return;
  const { decideBy, refundAt } = complaintTimes(complaint, config.settlement);
  const about = { url: complaintUrl(deps, bookingId), decideBy, refundAt };
  for (const admin of await listAdmins(tx, "support"))
    await emailQueue.add(tx, { kind: "payment", ...complaintToDecideEmail(admin, about) });
}

async function remindAdminsToDecide(
  tx: Tx,
  deps: Deps,
  { bookingId, refundAt }: { bookingId: string; refundAt: Date },
): Promise<void> {
  await tx
    .updateTable("complaints")
    .set({ admins_reminded_at: deps.clock.now() })
    .where("booking_id", "=", bookingId)
    .execute();
  const about = { url: complaintUrl(deps, bookingId), refundAt };
  for (const admin of await listAdmins(tx, "support"))
    await deps.emailQueue.add(tx, { kind: "payment", ...overdueDecisionEmail(admin, about) });
}

function complaintUrl({ config }: Deps, bookingId: string): string {
  return `${config.publicUrl}/dashboard/complaint/${bookingId}`;
}
