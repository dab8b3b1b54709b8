import type { Query, QueryClient } from "@tanstack/react-query";
import type { Resource } from "#contract/call.ts";

/**
 * Marks cached answers made of these resources as stale; resolves once those on screen are refetched. TanStack Query
 * does not restart the first fetch of a query, nor one that nothing on screen shows: what these bring may be from before
 * the change, so it is marked as soon as it arrives.
 */
export async function invalidateReads(
  queries: QueryClient,
  changed: readonly Resource[],
): Promise<void> {
  const predicate = ({ meta }: Query) =>
    meta?.reads?.some((read) => changed.includes(read)) === true;
  const refetches = queries
    .getQueryCache()
    .findAll({ predicate, fetchStatus: "fetching" })
    .filter((query) => !(query.state.data && query.isActive()))
    .map((query) => {
      const { queryKey } = query;
      const refetch = () => queries.invalidateQueries({ queryKey, exact: true });
      // The fetch under way.
      const refetched = query.fetch().then(refetch, refetch);
      return query.isActive() && refetched;
    });
  await queries.invalidateQueries({ predicate });
  await Promise.all(refetches);
}
