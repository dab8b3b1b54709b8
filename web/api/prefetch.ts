import { type DehydratedState, dehydrate, type QueryClient } from "@tanstack/react-query";
import type { RouterContextProvider } from "react-router";
import { type Api, fetchContext, publicApi } from "./api.ts";
import { createQueryClient } from "./query-client.ts";

/**
 * Runs a public page's queries on the server and returns their state for `HydrationBoundary`. Timestamps are
 * zeroed so that the same data gives the same bytes; the browser then refetches.
 */
export async function prefetchForRender(
  context: Readonly<RouterContextProvider>,
  ask: (queries: QueryClient, api: Api) => Promise<unknown>,
): Promise<DehydratedState> {
  const queries = createQueryClient();
  // A visitor is waiting for the page, so fail at once; the browser retries by itself.
  queries.setDefaultOptions({ queries: { retry: false } });
  await ask(queries, publicApi(context.get(fetchContext)));
  const state = dehydrate(queries);
  for (const query of state.queries) {
    query.state.dataUpdatedAt = 0;
    query.dehydratedAt = 0;
  }
  return state;
}
