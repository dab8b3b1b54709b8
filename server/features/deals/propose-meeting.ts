import { liveMeetingStates, meetingTransitions } from "#contract/life-cycle.ts";
import { maxDaysToMeeting } from "#contract/meetings.ts";
import { transact } from "../../db/database.ts";
import { newId } from "../../db/ids.ts";
import type { Member } from "../../db/member.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";
import { maskContacts } from "../masking/mask-contacts.ts";
import { recordDealChange } from "./deal-changes.ts";
import { lockOpenDeal } from "./lock-deal.ts";
import { meetingEmails } from "./meeting-emails.ts";
import { notifyParties } from "./notify-parties.ts";

const dayMs = 24 * 3_600_000;

type Proposal = { bookingId: string; place: string; startsAt: string; timeZone: string };

/** Replaces any earlier meeting. Throws `STALE`, `NOT_FOUND`, `BLOCKED` or `INVALID_INPUT`. */
export async function proposeMeeting(
  deps: Deps,
  member: Member,
  { bookingId, place, startsAt, timeZone }: Proposal,
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
    await recordAudit(tx, {
      ...{ at, actor: member.id, verb: "proposeMeeting", object: "booking", objectId: bookingId },
    });
    await recordDealChange(tx, bookingId);
    const meeting = { place, startsAt, timeZone };
    await notifyParties(tx, deps, {
      ...{ bookingId, email: meetingEmails.proposed, except: member.id, meeting },
    });
    return id;
  });
}

function requireSoon(startsAt: Date, now: Date): void {
  const wait = startsAt.getTime() - now.getTime();
  if (wait <= 0) throw invalid("startsAt", "Choose a time that is still to come.");
  if (wait > maxDaysToMeeting * dayMs)
    throw invalid("startsAt", `Choose a time within the next ${maxDaysToMeeting} days.`);
}

/** Rejects contact details, because the place is emailed and added to calendars. */
function requireNoContacts(place: string): void {
  if (maskContacts(place) !== null)
    throw invalid(
      "place",
      "Leave out phone numbers, email addresses and links. Write those in a message.",
    );
}

function invalid(field: string, message: string): AppError {
  return new AppError("INVALID_INPUT", message, { [field]: message });
}
