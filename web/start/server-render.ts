import type { QueryClient } from "@tanstack/react-query";
import { createContext as createReactContext } from "react";
import { createContext, type RouterContextProvider } from "react-router";
import { createQueryClient } from "../api/query-client.ts";
import type { AppStart } from "./early-input.ts";

/** Values that are available only while the server renders a page. */
type ServerRender = {
  /** For our inline scripts; removed before the page is cached (`server/pages/pages.ts`). */
  nonce: string;
  queries: QueryClient;
  start: AppStart;
  version: string;
};

export const ServerRenderContext = createReactContext<ServerRender | undefined>(undefined);

/** Makes React render the part again. Not reported as an error (`web/entry.client.tsx`). */
export class StaleMarkup extends Error {}

const queriesContext = createContext<QueryClient | null>(null);

/** Shared by the page's loaders. */
export function renderQueries(context: Readonly<RouterContextProvider>): QueryClient {
  const known = context.get(queriesContext);
  if (known) return known;
  const queries = createQueryClient();
  // A visitor is waiting for the page, so failed queries are not retried. The browser retries them.
  const { queries: defaults } = queries.getDefaultOptions();
  queries.setDefaultOptions({ queries: { ...defaults, retry: false } });
  (context as RouterContextProvider).set(queriesContext, queries);
  return queries;
}
