import { channel } from "node:diagnostics_channel";
import type { LogConfig } from "kysely";

/** Publishes Kysely's `LogEvent` of each query, in the async context of who asked. */
export const endedQueries = channel("secondlap.queries");

/** Kysely measures no query unless somebody had subscribed when the database was opened. */
export function publishQueries(): { log?: LogConfig } {
  return endedQueries.hasSubscribers ? { log: (event) => endedQueries.publish(event) } : {};
}
