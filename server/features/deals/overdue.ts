import { type RawBuilder, sql } from "kysely";
import type { BookingState } from "#contract/life-cycle.ts";

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
