import { type DehydratedState, dehydrate, type QueryClient } from "@tanstack/react-query";
import type { RouterContextProvider } from "react-router";
import { type Api, fetchContext, publicApi } from "./api.ts";
import { renderQueries } from "./server-render.ts";

type Ask = (queries: QueryClient, api: Api) => Promise<unknown>;

/** Runs a public page's queries on the server for its markup only (`web/ui/ServerRendered.tsx`). */
export async function queryForMarkup(
  context: Readonly<RouterContextProvider>,
  ask: Ask,
): Promise<QueryClient> {
  const queries = renderQueries(context);
  await ask(queries, publicApi(context.get(fetchContext)));
  return queries;
}

/**
 * Runs a public page's queries and returns their state for `HydrationBoundary`. Timestamps are
 * zeroed so that the same data gives the same bytes. The browser then refetches.
 */
export async function prefetchForRender(
  context: Readonly<RouterContextProvider>,
  ask: Ask,
): Promise<DehydratedState> {
  const state = dehydrate(await queryForMarkup(context, ask));
  for (const query of state.queries) {
    query.state.dataUpdatedAt = 0;
    query.dehydratedAt = 0;
  }
  return state;
}
