import { type DehydratedState, dehydrate, type QueryClient } from "@tanstack/react-query";
import type { RouterContextProvider } from "react-router";
import { type Api, fetchContext, publicApi } from "./api.ts";
import { createQueryClient } from "./query-client.ts";

/**
 * What a public page is rendered with on the server: the answers its loader asks for, as a state for
 * `HydrationBoundary`. Their age is left out, so the same answers make the same bytes; the browser takes
 * them as old, shows them and looks for newer ones.
 */
export async function prefetchForRender(
  context: Readonly<RouterContextProvider>,
  ask: (queries: QueryClient, api: Api) => Promise<unknown>,
): Promise<DehydratedState> {
  const queries = createQueryClient();
  // Who waits for a page is told at once that it can't be made; the browser asks again by itself.
  queries.setDefaultOptions({ queries: { retry: false } });
  await ask(queries, publicApi(context.get(fetchContext)));
  const state = dehydrate(queries);
  for (const query of state.queries) {
    query.state.dataUpdatedAt = 0;
    query.dehydratedAt = 0;
  }
  return state;
}
