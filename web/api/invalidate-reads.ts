import type { Query, QueryClient } from "@tanstack/react-query";
import type { Resource } from "#contract/call.ts";

/**
 * Marks as stale the cached queries that read these resources. Resolves once the queries on screen
 * are refetched. TanStack Query doesn't restart a query's first fetch or a background fetch. Data
 * from such a fetch may be older than the change, so the query becomes stale again on arrival.
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
      // `fetch` joins the request in flight.
      const refetched = query.fetch().then(refetch, refetch);
      return query.isActive() && refetched;
    });
  await queries.invalidateQueries({ predicate });
  await Promise.all(refetches);
}
