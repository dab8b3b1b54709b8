import { MutationCache, type Query, QueryCache, QueryClient } from "@tanstack/react-query";
import type { Resource } from "#contract/call.ts";
import { CallError } from "#contract/client.ts";

declare module "@tanstack/react-query" {
  interface Register {
    /** `personal` data is dropped when the member signs out or another member signs in. */
    queryMeta: { personal?: boolean; reads?: readonly Resource[] };
    mutationMeta: { changes: readonly Resource[] };
  }
}

/**
 * Unused data stays for five minutes. Failed reads are retried three times, unless the server
 * refuses them (specification 9). A successful mutation is pending until the queries that it
 * changes are refetched, if they are on screen. After a failed one, the user can try again at once.
 */
export function createQueryClient(): QueryClient {
  const queries: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, { queryKey }) => queryKey[0] !== sessionKey[0] && recheck(error),
    }),
    mutationCache: new MutationCache({
      onError: (error) => recheck(error),
      onSettled: (_data, error, _variables, _context, { meta }) => {
        const refetched = invalidateReads(queries, meta?.changes ?? []);
        return error ? undefined : refetched;
      },
    }),
    defaultOptions: {
      queries: { retry: isWorthRetrying, retryOnMount: false, networkMode: "always" },
      mutations: { networkMode: "always" },
    },
  });
  const recheck = (error: Error) => {
    if (error instanceof CallError && error.code === "NOT_SIGNED_IN") {
      void queries.invalidateQueries({ queryKey: sessionKey });
    }
  };
  return queries;
}

/** Query options for data that the loader has just read, so that the page doesn't refetch it. */
export const freshFromLoader = { staleTime: 5_000 };

export const sessionKey = ["session"] as const;

/** Shared by the browser's loaders and components. The server uses one cache per request. */
export const browserQueries = createQueryClient();

function isWorthRetrying(failures: number, error: Error): boolean {
  return failures < 3 && !(error instanceof CallError && isFinal(error.status));
}

function isFinal(status: number): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}

/**
 * Resolves once the queries on screen are refetched. TanStack Query doesn't restart a first fetch
 * or one in the background. Such a fetch may return older data, so its query is invalidated again.
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
