import { liveMeetingStates, meetingTransitions } from "#contract/life-cycle.ts";
import { maxDaysToMeeting } from "#contract/meetings.ts";
import { type Tx, transact } from "../../db/database.ts";
import { newId } from "../../db/ids.ts";
import type { Member } from "../../db/member.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { AppError, fieldError } from "../../errors.ts";
import { enqueue } from "../../jobs/job-queue.ts";
import { maskContacts } from "../masking/mask-contacts.ts";
import { recordDealChange } from "./announce-deal-change.ts";
import { lockOpenDeal } from "./lock-deal.ts";
import { readMeeting } from "./meeting-calendar.ts";
import { meetingEmails } from "./meeting-emails.ts";
import { notifyParties } from "./notify-parties.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

type Proposal = { id: string; place: string; startsAt: string; timeZone: string };

/**
 * Replaces the proposed or agreed meeting, if there is one. Throws `STALE`, `NOT_FOUND`, `BLOCKED`
 * or `INVALID_INPUT`.
 */
export async function proposeMeeting(
  deps: Deps,
  member: Member,
  { id: bookingId, place, startsAt, timeZone }: Proposal,
): Promise<string> {
  const at = deps.clock.now();
  requireSoon(new Date(startsAt), at);
  requireNoContacts(place);
  return await transact(deps.db, "proposeMeeting", async (tx) => {
    await lockOpenDeal(tx, deps, { member, bookingId });
    await tx
      .updateTable("meetings")
      .set({ state: meetingTransitions.replace.to })
      .where("booking_id", "=", bookingId)
      .where("state", "in", liveMeetingStates)
      .execute();
    const id = newId(at);
    const proposed = { place, starts_at: startsAt, time_zone: timeZone, proposed_at: at };
    await tx
      .insertInto("meetings")
      .values({ ...proposed, id, booking_id: bookingId, proposed_by: member.id })
      .execute();
    await record(tx, deps, {
      id: bookingId,
      meeting: id,
      actor: member.id,
      verb: "proposeMeeting",
    });
    return id;
  });
}

function requireSoon(startsAt: Date, now: Date): void {
  const wait = startsAt.getTime() - now.getTime();
  if (wait <= 0) throw fieldError("startsAt", "Choose a time that is still to come.");
  if (wait > maxDaysToMeeting * dayMs)
    throw fieldError("startsAt", `Choose a time within the next ${maxDaysToMeeting} days.`);
}

/** Rejects contact details, because the place is emailed and added to calendars. */
function requireNoContacts(place: string): void {
  if (maskContacts(place) !== null)
    throw fieldError(
      "place",
      "Leave out phone numbers, email addresses and links. Write those in a message.",
    );
}

/** How long before an agreed meeting both sides are reminded. */
export const reminderLeadsMs = [dayMs, hourMs];

/** The ids of a booking and its meeting. */
type Answer = { id: string; meeting: string };

/**
 * Emails both sides a calendar file, and schedules reminders. Throws `NOT_FOUND`, `BLOCKED`, and
 * `STALE` for a closed deal, and for a proposal that is no longer open, is past or is the member's
 * own.
 */
export async function acceptMeeting(deps: Deps, member: Member, answer: Answer): Promise<void> {
  const { id: bookingId, meeting: meetingId } = answer;
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
      .executeTakeFirstOrThrow(noLongerStands);
    for (const lead of reminderLeadsMs) {
      const runAt = new Date(agreed.starts_at.getTime() - lead);
      if (runAt > at) await enqueue(tx, "remindOfMeeting", { payload: { meetingId }, runAt });
    }
    await record(tx, deps, { ...answer, actor: member.id, verb: "acceptMeeting" });
  });
}

/** Cancels a proposal or an agreed meeting. Throws `NOT_FOUND`, `BLOCKED`, `STALE`. */
export async function cancelMeeting(deps: Deps, member: Member, answer: Answer): Promise<void> {
  const { id: bookingId, meeting: meetingId } = answer;
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
      .executeTakeFirstOrThrow(noLongerStands);
    const verb = cancelled.answered_at ? "cancelMeeting" : "withdrawMeeting";
    await record(tx, deps, { ...answer, actor: member.id, verb });
  });
}

function noLongerStands(): AppError {
  return new AppError("STALE", "This proposal no longer stands. Look at the newest one.");
}

/** Job `remindOfMeeting`. */
export async function remindOfMeeting(deps: Deps, meetingId: string): Promise<void> {
  await transact(deps.db, "remindOfMeeting", async (tx) => {
    const { booking_id, state, starts_at, meeting } = await readMeeting(tx, deps, meetingId);
    if (state !== "agreed" || starts_at <= deps.clock.now()) return;
    const email = meetingEmails.reminder;
    await notifyParties(tx, deps, { bookingId: booking_id, email, meeting });
  });
}

const emails = {
  proposeMeeting: meetingEmails.proposed,
  acceptMeeting: meetingEmails.agreed,
  cancelMeeting: meetingEmails.cancelled,
  withdrawMeeting: meetingEmails.withdrawn,
};

type Recorded = Answer & { actor: string; verb: keyof typeof emails };

async function record(tx: Tx, deps: Deps, recorded: Recorded): Promise<void> {
  const { id: bookingId, meeting: meetingId, actor, verb } = recorded;
  const by = { at: deps.clock.now(), actor, verb } as const;
  await recordAudit(tx, { ...by, object: "booking", objectId: bookingId });
  await recordDealChange(tx, bookingId);
  const { meeting, calendar } = await readMeeting(tx, deps, meetingId);
  // The member who accepts the proposal also gets the calendar file.
  const except = verb === "acceptMeeting" ? null : actor;
  const hasCalendar = verb === "acceptMeeting" || verb === "cancelMeeting";
  await notifyParties(tx, deps, {
    bookingId,
    email: emails[verb],
    except,
    meeting,
    ...(hasCalendar && { calendar }),
  });
}
