import { type RawBuilder, sql } from "kysely";
import type { BookingState } from "#contract/life-cycle.ts";

/**
 * SQL condition on `bookings`: an unpaid hold whose time is up. It counts as expired from that
 * moment, whether or not its job has run (specification 10.10).
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
