import { type RawBuilder, sql } from "kysely";
import type { Meeting } from "#contract/meetings.ts";

/** The JSON that `meetingColumn` selects. */
type MeetingJson = Meeting | null;

/**
 * SQL: the proposed or agreed place and time of a booking, or null. `booking` and `buyer` are the
 * names of the columns with the booking's id and the buyer's id.
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
