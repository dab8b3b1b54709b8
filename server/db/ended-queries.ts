import { channel } from "node:diagnostics_channel";
import type { LogConfig } from "kysely";

/** Publishes Kysely's `LogEvent` of each query, in the caller's async context. */
export const endedQueries = channel("secondlap.queries");

/** Kysely measures queries only if the channel has a subscriber when the database is opened. */
export function publishQueries(): { log?: LogConfig } {
  return endedQueries.hasSubscribers ? { log: (event) => endedQueries.publish(event) } : {};
}
