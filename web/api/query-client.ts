import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { CallError } from "#contract/client.ts";

/**
 * A query cache: kept five minutes when unused, three retries with growing waits (specification 9). What
 * the server refuses for good is not asked again; told that nobody is signed in, it looks at the session.
 */
export function createQueryClient(): QueryClient {
  const queries: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, { queryKey }) => queryKey[0] !== sessionKey[0] && recheck(error),
    }),
    mutationCache: new MutationCache({ onError: (error) => recheck(error) }),
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

/** For what a page's loader reads and the page shows: it is not read a second time at once. */
export const justRead = { staleTime: 5_000 };

export const sessionKey = ["session"] as const;

/** The browser's one query cache, shared by loaders and components; the server makes one per page. */
export const browserQueries = createQueryClient();

function isWorthRetrying(failures: number, error: Error): boolean {
  return failures < 3 && !(error instanceof CallError && isFinal(error.status));
}

function isFinal(status: number): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}
