import { meetingTransitions } from "#contract/life-cycle.ts";
import { type Tx, transact } from "../../db/database.ts";
import { enqueue } from "../../db/job-queue.ts";
import type { Member } from "../../db/member.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";
import { recordDealChange } from "./deal-changes.ts";
import { lockOpenDeal } from "./lock-deal.ts";
import { findMeeting } from "./meeting-calendar.ts";
import { meetingEmails } from "./meeting-emails.ts";
import { notifyParties } from "./notify-parties.ts";

const hourMs = 3_600_000;

/** How long before an agreed handover both sides are reminded. */
export const reminderLeadsMs = [24 * hourMs, hourMs];

type Answer = { bookingId: string; meetingId: string };

/**
 * Emails both sides a calendar file, and schedules reminders. Throws `NOT_FOUND`, `BLOCKED`, and
 * `STALE` for a proposal that was replaced, is past or is the member's own.
 */
export async function acceptMeeting(deps: Deps, member: Member, answer: Answer): Promise<void> {
  const { bookingId, meetingId } = answer;
  const at = deps.clock.now();
  await transact(deps.db, "acceptMeeting", async (tx) => {
    await lockOpenDeal(tx, deps, { member, bookingId });
    const { from, to } = meetingTransitions.agree;
    const agreed = await tx
      .updateTable("meetings")
      .set({ state: to, answered_at: at })
      .where("id", "=", meetingId)
      .where("booking_id", "=", bookingId)
      .where("proposed_by", "!=", member.id)
      .where("state", "in", from)
      .where("starts_at", ">", at)
      .returning("starts_at")
      .executeTakeFirst();
    if (!agreed) throw noLongerStands();
    for (const lead of reminderLeadsMs) {
      const runAt = new Date(agreed.starts_at.getTime() - lead);
      if (runAt > at) await enqueue(tx, "remindOfMeeting", { payload: { meetingId }, runAt });
    }
    await record(tx, deps, { ...answer, actor: member.id, verb: "acceptMeeting" });
  });
}

/** Withdraws a proposal, or calls off a handover. Throws `NOT_FOUND`, `BLOCKED`, `STALE`. */
export async function cancelMeeting(deps: Deps, member: Member, answer: Answer): Promise<void> {
  const { bookingId, meetingId } = answer;
  await transact(deps.db, "cancelMeeting", async (tx) => {
    await lockOpenDeal(tx, deps, { member, bookingId });
    const { from, to } = meetingTransitions.cancel;
    const cancelled = await tx
      .updateTable("meetings")
      .set({ state: to })
      .where("id", "=", meetingId)
      .where("booking_id", "=", bookingId)
      .where("state", "in", from)
      .returning("answered_at")
      .executeTakeFirst();
    if (!cancelled) throw noLongerStands();
    const verb = cancelled.answered_at ? "cancelMeeting" : "withdrawMeeting";
    await record(tx, deps, { ...answer, actor: member.id, verb });
  });
}

function noLongerStands(): AppError {
  return new AppError("STALE", "This proposal no longer stands. Look at the newest one.");
}

/** Job `remindOfMeeting`. The reminders a day and an hour before have the same text. */
export async function remindOfMeeting(deps: Deps, meetingId: string): Promise<void> {
  await transact(deps.db, "remindOfMeeting", async (tx) => {
    const meeting = await findMeeting(tx, deps, { meetingId });
    if (meeting?.state !== "agreed" || !meeting.isOpen || meeting.startsAt <= deps.clock.now())
      return;
    await notifyParties(tx, deps, {
      ...{ bookingId: meeting.bookingId, email: meetingEmails.reminder, meeting: meeting.facts },
    });
  });
}

const emails = {
  acceptMeeting: meetingEmails.agreed,
  cancelMeeting: meetingEmails.cancelled,
  withdrawMeeting: meetingEmails.withdrawn,
};

type Recorded = Answer & { actor: string; verb: keyof typeof emails };

async function record(tx: Tx, deps: Deps, recorded: Recorded): Promise<void> {
  const { bookingId, meetingId, actor, verb } = recorded;
  const at = deps.clock.now();
  const by = { at, actor, verb, object: "booking", objectId: bookingId } as const;
  await recordAudit(tx, by);
  await recordDealChange(tx, bookingId);
  const meeting = await findMeeting(tx, deps, { meetingId });
  if (!meeting) throw new Error(`There is no meeting ${meetingId}.`);
  // The member who accepts the proposal also gets the calendar file.
  const except = verb === "acceptMeeting" ? null : actor;
  const calendar = verb === "withdrawMeeting" ? undefined : meeting.calendar;
  await notifyParties(tx, deps, {
    bookingId,
    email: emails[verb],
    except,
    meeting: meeting.facts,
    ...(calendar !== undefined && { calendar }),
  });
}
