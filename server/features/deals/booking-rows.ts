import { type RawBuilder, sql } from "kysely";
import type { BookingState } from "#contract/life-cycle.ts";
import type { Meeting } from "#contract/meetings.ts";

/**
 * SQL condition on `bookings`: an unpaid hold whose time has ended. The hold is expired from that
 * moment, even if the expiry job has not run yet (specification 10.10).
 */
export function isOverdue(now: Date): RawBuilder<boolean> {
  return sql<boolean>`(bookings.state = 'held' and bookings.held_until <= ${now})`;
}

/** SQL: the state of a booking, with overdue holds shown as expired. */
export function shownState(now: Date): RawBuilder<BookingState> {
  return sql<BookingState>`case when ${isOverdue(now)} then 'expired' else bookings.state end`;
}

/** SQL condition on `bookings`: an unpaid hold that is not overdue. */
export function isActiveHold(now: Date): RawBuilder<boolean> {
  return sql<boolean>`(bookings.state = 'held' and not ${isOverdue(now)})`;
}

/** The JSON that `meetingColumn` selects. */
type MeetingJson = Meeting | null;

/**
 * SQL: a booking's proposed or agreed meeting, or null. `booking` and `buyer` name the columns with
 * the ids of the booking and its buyer.
 */
export function meetingColumn(booking: string, buyer: string): RawBuilder<MeetingJson> {
  return sql<MeetingJson>`(
    select json_build_object('_id', meetings.id, 'state', meetings.state, 'place', meetings.place,
      'by', case when meetings.proposed_by = ${sql.ref(buyer)} then 'buyer' else 'seller' end,
      'startsAt', meetings.starts_at, 'timeZone', meetings.time_zone)
    from meetings
    where meetings.booking_id = ${sql.ref(booking)} and meetings.state in ('proposed', 'agreed')
  )`;
}

/** Normalizes `startsAt`, whose offset and fraction digits vary in PostgreSQL's JSON. */
export function toMeeting(row: MeetingJson): Meeting | null {
  return row && { ...row, startsAt: new Date(row.startsAt).toISOString() };
}
