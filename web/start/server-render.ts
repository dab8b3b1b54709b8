import type { QueryClient } from "@tanstack/react-query";
import { createContext as createReactContext } from "react";
import { createContext, type EntryContext, type RouterContextProvider } from "react-router";
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

/** Returns the cache that the page's loaders and components share. */
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

/** Returns the data that the page carries as JSON, in place of React Router's scripts. */
export async function takeAppStart(context: EntryContext): Promise<AppStart> {
  const { manifest, routeModules, staticHandlerContext, serverHandoffStream } = context;
  const state = await new Response(serverHandoffStream).text();
  // Otherwise `ServerRouter` would render the stream too.
  Object.assign(context, { serverHandoffStream: undefined });
  const ids = staticHandlerContext.matches.map(({ route }) => route.id);
  const routes = ids.flatMap((id) => manifest.routes[id] ?? []);
  const imports = [manifest.entry, ...routes].flatMap(({ module, imports = [] }) => [
    module,
    ...imports,
  ]);
  return {
    isEager: ids.some((id) => isEager(routeModules[id]?.handle)),
    manifest: manifest.url,
    entry: manifest.entry.module,
    routes: Object.fromEntries(routes.map(({ id, module }) => [id, module])),
    preload: [...new Set([manifest.url, ...imports])],
    context: JSON.parse(context.serverHandoffString ?? "{}"),
    state,
  };
}

function isEager(handle: unknown): boolean {
  return handle instanceof Object && "isEager" in handle && handle.isEager === true;
}

/** Prefetches a link's document on hover, because links load documents until the app starts. */
export const speculationRules = {
  prefetch: [
    {
      where: {
        and: [
          { href_matches: "/*" },
          {
            not: {
              href_matches: [
                "/dashboard*",
                "/categoryProducts/*",
                "/search*",
                "/compare*",
                "/api/*",
                "/images/*",
              ],
            },
          },
        ],
      },
      eagerness: "moderate",
    },
  ],
};
