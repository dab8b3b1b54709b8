import type { Query, QueryClient } from "@tanstack/react-query";
import type { Resource } from "#contract/call.ts";

/**
 * Marks cached answers made of these resources as stale; resolves once those on screen are refetched. A fetch under way
 * that TanStack Query does not restart, because it is the first of its query or nothing on screen shows it, may have
 * read before the change, so its answer is marked when it arrives.
 */
export async function invalidateReads(
  queries: QueryClient,
  changed: readonly Resource[],
): Promise<void> {
  const readsChanged = ({ meta }: Query) =>
    meta?.reads?.some((read) => changed.includes(read)) === true;
  const notRestarted = queries
    .getQueryCache()
    .findAll({ predicate: readsChanged, fetchStatus: "fetching" })
    .filter((query) => query.state.data === undefined || !query.isActive());
  const arrivals = notRestarted.map((query) => query.fetch());
  await queries.invalidateQueries({ predicate: readsChanged });
  await Promise.allSettled(arrivals);
  await queries.invalidateQueries({ predicate: (query) => notRestarted.includes(query) });
}
