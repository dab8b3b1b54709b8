import type { Query, QueryClient } from "@tanstack/react-query";
import type { Resource } from "#contract/call.ts";

/**
 * Marks cached answers with these resources as stale. Resolves once those on screen are refetched.
 * TanStack Query doesn't restart a query's first fetch, or a fetch that nothing on screen uses.
 * Their data may be from before the change, so it is marked as stale when it arrives.
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
      // Joins the fetch in flight.
      const refetched = query.fetch().then(refetch, refetch);
      return query.isActive() && refetched;
    });
  await queries.invalidateQueries({ predicate });
  await Promise.all(refetches);
}
