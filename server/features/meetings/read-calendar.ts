import { liveMeetingStates, openBookingStates } from "#contract/life-cycle.ts";
import type { Tx } from "../../db/database.ts";
import type { Member } from "../../db/member.ts";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";
import { calendarFile } from "./calendar-file.ts";

type Wanted = { meetingId: string };

/** A meeting with its calendar file. `isOpen`: the laptop is still to be handed over. */
export async function findMeeting(tx: Tx, deps: Deps, { meetingId }: Wanted) {
  const row = await selectMeetings(tx).where("meetings.id", "=", meetingId).executeTakeFirst();
  return row && toCalendar(deps, row);
}

/** The agreed place and time of the member's deal as a calendar file. Refuses `STALE` without one, and `NOT_FOUND`. */
export async function readCalendar(deps: Deps, member: Member, bookingId: string): Promise<string> {
  const row = await selectMeetings(deps.db)
    .where("bookings.id", "=", bookingId)
    .where("meetings.state", "in", liveMeetingStates)
    .where(({ eb, or }) =>
      or([eb("bookings.buyer_id", "=", member.id), eb("products.seller_id", "=", member.id)]),
    )
    .executeTakeFirst();
  if (!row) throw new AppError("NOT_FOUND", "You have no such deal, or it has no place and time.");
  if (row.state !== "agreed")
    throw new AppError("STALE", "This place and time are proposed, but not agreed yet.");
  return toCalendar(deps, row).calendar;
}

function selectMeetings(tx: Tx) {
  return tx
    .selectFrom("meetings")
    .innerJoin("bookings", "bookings.id", "meetings.booking_id")
    .innerJoin("products", "products.id", "bookings.product_id")
    .select(["meetings.booking_id", "meetings.state", "meetings.place", "meetings.starts_at"])
    .select(["meetings.time_zone", "products.product_name", "bookings.state as deal_state"])
    .select((meeting) =>
      meeting
        .selectFrom("meetings as earlier")
        .whereRef("earlier.booking_id", "=", "meetings.booking_id")
        .select(({ fn }) => fn.countAll<string>().as("count"))
        .as("proposals"),
    );
}

type MeetingRow = Awaited<ReturnType<ReturnType<typeof selectMeetings>["executeTakeFirstOrThrow"]>>;

function toCalendar({ config, clock }: Deps, row: MeetingRow) {
  const cancelled = row.state === "cancelled";
  const calendar = calendarFile({
    bookingId: row.booking_id,
    // Cancelling comes after the proposal it cancels, and before the next one.
    revision: 2 * Number(row.proposals) + (cancelled ? 1 : 0),
    product: row.product_name,
    place: row.place,
    startsAt: row.starts_at,
    writtenAt: clock.now(),
    publicUrl: config.publicUrl,
    cancelled,
  });
  return {
    bookingId: row.booking_id,
    state: row.state,
    isOpen: openBookingStates.some((state) => state === row.deal_state),
    startsAt: row.starts_at,
    facts: {
      place: row.place,
      startsAt: row.starts_at.toISOString(),
      timeZone: row.time_zone,
    },
    calendar,
  };
}
