import type { QueryClient } from "@tanstack/react-query";
import { createContext as createReactContext } from "react";
import { createContext, type RouterContextProvider } from "react-router";
import type { AppStart } from "../ui/early-input.ts";
import { createQueryClient } from "./query-client.ts";

/** What the server's render of a page has and the browser's has not. */
export type ServerRender = {
  /** Marks our inline scripts; it is removed before the page is cached (`server/pages/pages.ts`). */
  nonce: string;
  /** What the page's loaders have read. */
  queries: QueryClient;
  start: AppStart;
  version: string;
};

export const ServerRenderContext = createReactContext<ServerRender | undefined>(undefined);

const queriesContext = createContext<QueryClient | null>(null);

/** The query cache of the page that is being rendered, shared by its loaders. */
export function renderQueries(context: Readonly<RouterContextProvider>): QueryClient {
  const known = context.get(queriesContext);
  if (known) return known;
  const queries = createQueryClient();
  // A visitor is waiting for the page, so fail at once; the browser retries by itself.
  queries.setDefaultOptions({ queries: { retry: false } });
  (context as RouterContextProvider).set(queriesContext, queries);
  return queries;
}
