import { type Tx, transact } from "../../db/database.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { addressedTo, type EmailMessage } from "../../email/email.ts";
import { runParts } from "../../jobs/define-jobs.ts";
import type { SettlementTerms } from "../../settings/deal-fee-and-times.ts";
import { notifyParties } from "../deals/notify-parties.ts";
import { listAdmins } from "../staff/change-staff-role.ts";
import { applyDecision } from "./apply-decision.ts";
import { complaintTimes, decidableSince } from "./complaint-times.ts";
import { complaintEmails, complaintToDecideEmail, overdueDecisionEmail } from "./emails.ts";

/** Job `meetComplaintDeadlines`. */
export async function meetComplaintDeadlines(deps: Deps): Promise<void> {
  await runParts("met", async (attempt) => {
    for (const bookingId of await listDueComplaints(deps))
      await attempt(() => meetComplaintDeadline(deps, bookingId));
  });
}

async function listDueComplaints({ db, clock, config }: Deps): Promise<string[]> {
  const now = clock.now();
  const open = await selectOpen(db).orderBy("complaints.opened_at").execute();
  return open
    .filter((complaint) => dueStep(complaint, config.settlement, now) !== undefined)
    .map(({ booking_id }) => booking_id);
}

/** Selects undecided complaints. Skips deals with an open dispute or bank inquiry. */
function selectOpen(tx: Tx) {
  return tx
    .selectFrom("bookings")
    .innerJoin("complaints", "complaints.booking_id", "bookings.id")
    .select(["complaints.booking_id", "bookings.price_cents"])
    .select(["complaints.opened_at", "complaints.answer", "complaints.answered_at"])
    .select(["complaints.seller_reminded_at", "complaints.admins_asked_at"])
    .select(["complaints.admins_reminded_at", decidableSince.as("decidable_since")])
    .where("bookings.payout_held_at", "is", null)
    .where("complaints.decided_at", "is", null);
}

type Open = Awaited<ReturnType<ReturnType<typeof selectOpen>["executeTakeFirstOrThrow"]>>;

function dueStep(complaint: Open, terms: SettlementTerms, now: Date) {
  const { answer, seller_reminded_at, admins_asked_at, admins_reminded_at } = complaint;
  const wereReminded = admins_reminded_at && admins_reminded_at > complaint.decidable_since;
  const times = complaintTimes(complaint, terms);
  if (times.refundAt <= now) return refundBuyer;
  if (admins_asked_at !== null)
    return !wereReminded && times.decideBy <= now ? remindAdmins : undefined;
  if (times.adminsFrom <= now) return handToAdmins;
  const isUnanswered = answer === null && seller_reminded_at === null;
  return isUnanswered && times.remindSellerAt <= now ? remindSeller : undefined;
}

export async function meetComplaintDeadline(deps: Deps, bookingId: string): Promise<void> {
  await transact(deps.db, `meetComplaintDeadline ${bookingId}`, async (tx) => {
    // Locks the booking before the complaint (decisions/database).
    const complaint = await selectOpen(tx)
      .where("bookings.id", "=", bookingId)
      .forUpdate()
      .executeTakeFirst();
    if (!complaint) return;
    const step = dueStep(complaint, deps.config.settlement, deps.clock.now());
    await step?.(tx, deps, complaint);
  });
}

async function refundBuyer(tx: Tx, deps: Deps, complaint: Open): Promise<void> {
  const { booking_id: bookingId, price_cents: refundCents } = complaint;
  const words = "Nobody decided in time, so the buyer gets their money back.";
  await applyDecision(tx, deps, { bookingId, refundCents, words, actor: null });
}

async function handToAdmins(tx: Tx, deps: Deps, { booking_id: bookingId }: Open): Promise<void> {
  await askAdminsToDecide(tx, deps, bookingId);
  await notifyParties(tx, deps, { bookingId, email: complaintEmails.forAdmins });
}

async function remindSeller(tx: Tx, deps: Deps, complaint: Open): Promise<void> {
  const { booking_id: bookingId } = complaint;
  await tx
    .updateTable("complaints")
    .set({ seller_reminded_at: deps.clock.now() })
    .where("booking_id", "=", bookingId)
    .execute();
  const until = complaintTimes(complaint, deps.config.settlement).answerBy;
  await notifyParties(tx, deps, { bookingId, email: complaintEmails.reminder, until });
}

/** Hands a complaint to owners and support, and emails them. Does nothing if called again. */
export async function askAdminsToDecide(tx: Tx, deps: Deps, bookingId: string): Promise<void> {
  const complaint = await tx
    .updateTable("complaints")
    .set({ admins_asked_at: deps.clock.now() })
    .where("booking_id", "=", bookingId)
    .where("admins_asked_at", "is", null)
    .returningAll()
    .returning(decidableSince.as("decidable_since"))
    .executeTakeFirst();
  if (!complaint) return;
  const { decideBy, refundAt } = complaintTimes(complaint, deps.config.settlement);
  const url = complaintUrl(deps, bookingId);
  await mailAdmins(tx, deps, complaintToDecideEmail({ url, decideBy, refundAt }));
}

async function remindAdmins(tx: Tx, deps: Deps, complaint: Open): Promise<void> {
  const at = deps.clock.now();
  const { booking_id: bookingId } = complaint;
  await tx
    .updateTable("complaints")
    .set({ admins_reminded_at: at })
    .where("booking_id", "=", bookingId)
    .execute();
  const { refundAt } = complaintTimes(complaint, deps.config.settlement);
  const url = complaintUrl(deps, bookingId);
  await mailAdmins(tx, deps, overdueDecisionEmail({ url, refundAt }));
  const by = { at, actor: null, object: "booking", objectId: bookingId } as const;
  await recordAudit(tx, { ...by, verb: "remind admins", detail: {} });
}

async function mailAdmins(tx: Tx, { emailQueue }: Deps, email: EmailMessage): Promise<void> {
  for (const admin of await listAdmins(tx, "support"))
    await emailQueue.add(tx, { kind: "payment", ...addressedTo(admin), ...email });
}

function complaintUrl({ config }: Deps, bookingId: string): string {
  return `${config.publicUrl}/dashboard/complaint/${bookingId}`;
}
