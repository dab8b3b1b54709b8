import type { QueryClient } from "@tanstack/react-query";
import { createContext as createReactContext } from "react";
import { createContext, type RouterContextProvider } from "react-router";
import { createQueryClient } from "../api/query-client.ts";
import type { AppStart } from "./early-input.ts";

/** Values that are available only while the server renders a page. */
type ServerRender = {
  /**
   * Marks our inline scripts. The server removes the nonce before it caches the page
   * (`server/pages/pages.ts`).
   */
  nonce: string;
  /** The data that the page's loaders have read. */
  queries: QueryClient;
  start: AppStart;
  version: string;
};

export const ServerRenderContext = createReactContext<ServerRender | undefined>(undefined);

const queriesContext = createContext<QueryClient | null>(null);

/** The query cache for the page being rendered, shared by the page's loaders. */
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
