import {
  type DehydratedState,
  dehydrate,
  type FetchInfiniteQueryOptions,
  type FetchQueryOptions,
  type QueryClient,
  type QueryKey,
} from "@tanstack/react-query";
import { type RouterContextProvider, data as respond } from "react-router";
import { CallError } from "#contract/client.ts";
import { type Api, fetchContext, publicApi } from "../api/api.ts";
import { browserQueries } from "../api/query-client.ts";
import { nextAttempt } from "./ServerRendered.tsx";
import { renderQueries } from "./server-render.ts";

type Context = Readonly<RouterContextProvider>;

/** From `queryOf` or `listOf`. */
type PageQuery = { queryKey: QueryKey; initialPageParam?: unknown };

/** What a public page shows. Its data is sent as markup only. */
export type PageData<Key> = {
  /** The page's queries, for a key such as the id in its address. */
  queriesOf: (key: Key, api?: Api) => PageQuery[];
  /** Whether an error is an answer, such as 410 for a laptop that is gone. By default none is. */
  isAnswer?: (error: unknown) => boolean;
  /** Whether the page is rendered without what can't be read. */
  mayFail?: boolean;
};

/** Runs a page's queries on the server, for its markup. Throws the first error, unless the page may do without. */
export async function readForMarkup<Key>(
  context: Context,
  { queriesOf, isAnswer = () => false, mayFail = false }: PageData<Key>,
  key: Key,
): Promise<QueryClient> {
  const queries = renderQueries(context);
  const asked = queriesOf(key, publicApi(context.get(fetchContext)));
  await readAll(queries, asked);
  const errors = asked.map((query) => errorOf(queries, query)).filter((error) => !isAnswer(error));
  const failed = errors.find((error) => error !== null);
  if (failed && !mayFail) throw failed;
  return queries;
}

/** In the browser, before the page is shown: content that arrived later would shift it. */
export async function fetchPageData<Key>({ queriesOf }: PageData<Key>, key: Key): Promise<void> {
  await readAll(browserQueries, queriesOf(key));
}

async function readAll(queries: QueryClient, asked: PageQuery[]): Promise<void> {
  await Promise.all(
    asked.map((query) =>
      "initialPageParam" in query
        ? queries.prefetchInfiniteQuery(query as FetchInfiniteQueryOptions)
        : queries.prefetchQuery(query as FetchQueryOptions),
    ),
  );
}

/** Tells whether the markup shows the same data; undefined while something hasn't been read. */
export function digestOfPage<Key>(
  queries: QueryClient,
  { queriesOf, isAnswer = () => false }: PageData<Key>,
  key: Key,
): string | undefined {
  const states = queriesOf(key).map(({ queryKey }) => queries.getQueryState(queryKey));
  if (states.some((state) => state?.data === undefined && !isAnswer(state?.error)))
    return undefined;
  return digestOf(states.map((state) => contentOf(state?.data) ?? state?.error?.message));
}

type ListData = { pages?: { body: unknown; next?: string }[] } | undefined;

/** Of a list, the items and cursors of its pages. */
function contentOf(data: unknown): unknown {
  return (data as ListData)?.pages?.map(({ body, next }) => [body, next ?? null]) ?? data;
}

/** A short digest (FNV-1a, 32 bits) of a value's JSON. */
function digestOf(value: unknown): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(JSON.stringify(value)))
    hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0).toString(36);
}

const fetched = new Map<string, Promise<string>>();

/** On hydration: fetches a page's data once, and tries again until all of it is read. Resolves to its digest. */
export function fetchForHydration<Key>(page: PageData<Key>, key: Key): Promise<string> {
  const name = JSON.stringify(page.queriesOf(key).map(({ queryKey }) => queryKey));
  const promise = fetched.get(name) ?? fetchUntilRead(page, key);
  fetched.set(name, promise);
  return promise;
}

async function fetchUntilRead<Key>(page: PageData<Key>, key: Key): Promise<string> {
  await fetchPageData(page, key);
  const digest = digestOfPage(browserQueries, page, key);
  if (digest !== undefined) return digest;
  await nextAttempt();
  return await fetchUntilRead(page, key);
}

/** The error of a query that has no data. */
export function errorOf(queries: QueryClient, { queryKey }: PageQuery): Error | null {
  const state = queries.getQueryState(queryKey);
  return state?.data === undefined ? (state?.error ?? null) : null;
}

/** Throws why the page's subject has not been read: as a response if it is missing. */
export function requireRead(query: PageQuery): void {
  const error = errorOf(browserQueries, query);
  if (error) throw isMissing(error) ? respond(null, { status: error.status }) : error;
}

/** Whether a call's subject never existed or is gone. */
export function isMissing(error: unknown): error is CallError {
  return error instanceof CallError && (error.status === 404 || error.status === 410);
}

/** For `handle.lookUp`: the status and canonical path of a page (server/pages/site.ts). */
export async function lookUp(
  find: () => Promise<string>,
): Promise<{ status: number; path?: string }> {
  try {
    return { status: 200, path: await find() };
  } catch (error) {
    return { status: isMissing(error) ? error.status : 200 };
  }
}

/**
 * Runs queries on the server, and returns their state for `HydrationBoundary`. Timestamps are zeroed so that the same
 * data gives the same bytes; the browser then refetches.
 */
export async function prefetchForRender(
  context: Context,
  queriesOf: (api: Api) => PageQuery[],
): Promise<DehydratedState> {
  const queries = renderQueries(context);
  const asked = queriesOf(publicApi(context.get(fetchContext)));
  await readAll(queries, asked);
  const failed = asked.map((query) => errorOf(queries, query)).find((error) => error !== null);
  if (failed) throw failed;
  const state = dehydrate(queries);
  for (const query of state.queries) {
    query.state.dataUpdatedAt = 0;
    query.dehydratedAt = 0;
  }
  return state;
}
