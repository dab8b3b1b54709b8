import { type RawBuilder, sql } from "kysely";

/**
 * SQL condition on `bookings`: an unpaid hold whose time is up. It counts as expired from that moment,
 * whether or not its job has run (specification 10.10).
 */
export function isOverdue(now: Date): RawBuilder<boolean> {
  return sql<boolean>`(bookings.state = 'held' and bookings.held_until <= ${now})`;
}

/** SQL condition on `bookings`: an unpaid hold that is not overdue. */
export function isActiveHold(now: Date): RawBuilder<boolean> {
  return sql<boolean>`(bookings.state = 'held' and not ${isOverdue(now)})`;
}
