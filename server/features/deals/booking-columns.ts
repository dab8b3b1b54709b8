import { type RawBuilder, sql } from "kysely";
import type { BookingState } from "#contract/life-cycle.ts";
import type { Meeting } from "#contract/meetings.ts";

/** SQL: whether the booking is held, but the hold's time is up. */
export function isOverdue(now: Date): RawBuilder<boolean> {
  return sql<boolean>`(bookings.state = 'held' and bookings.held_until <= ${now})`;
}

export function shownState(now: Date): RawBuilder<BookingState> {
  return sql<BookingState>`case when ${isOverdue(now)} then 'expired' else bookings.state end`;
}

export function isActiveHold(now: Date): RawBuilder<boolean> {
  return sql<boolean>`(bookings.state = 'held' and not ${isOverdue(now)})`;
}

/** SQL on `bookings` and `products`: whether the member is the buyer or the seller. */
export function isPartyTo(memberId: string): RawBuilder<boolean> {
  return sql<boolean>`${memberId} in (bookings.buyer_id, products.seller_id)`;
}

type MeetingJson = Meeting | null;

/** SQL: the live meeting as JSON. `booking` and `buyer`: names of the columns with their ids. */
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
