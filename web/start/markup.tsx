import type {
  FetchInfiniteQueryOptions,
  FetchQueryOptions,
  QueryClient,
  QueryKey,
} from "@tanstack/react-query";
import { type ReactNode, Suspense, use, useLayoutEffect } from "react";
import type { Api } from "../api/api.ts";
import { browserQueries } from "../api/query-client.ts";
import { useHydrated } from "../ui/use-hydrated.ts";
import { StaleMarkup } from "./server-render.ts";

/** Query options from `queryOf` or `listOf`. */
export type PageQuery = { queryKey: QueryKey; initialPageParam?: unknown };

/** A public page's data, which the server sends as markup only. */
export type PageData<Key> = {
  /** The page's queries, for a key such as the id in its URL. */
  queriesOf: (key: Key, api?: Api) => PageQuery[];
  /** Whether the page shows this error as content, such as 410 for a removed laptop. */
  isAnswer?: (error: unknown) => boolean;
  /** Whether the page still renders if some of its data can't be read. */
  mayFail?: boolean;
};

type ServerRenderedProps<Key> = {
  page: PageData<Key>;
  pageKey: Key;
  /** The digest of the data in the markup. */
  digest: string | undefined;
  children: ReactNode;
};

/**
 * Part of a page that the server sends as HTML without its data. The HTML stays until the browser
 * has the data. If the data has changed, the part is rendered again.
 */
export function ServerRendered<Key>(props: ServerRenderedProps<Key>) {
  return (
    <Suspense fallback={null}>
      <Hydrated {...props} />
    </Suspense>
  );
}

function Hydrated<Key>({ page, pageKey, digest, children }: ServerRenderedProps<Key>) {
  const isHydrating = !useHydrated() && !import.meta.env.SSR;
  if (isHydrating && use(fetchForHydration(page, pageKey)) !== digest) throw new StaleMarkup();
  // A layout effect, so that no input comes between rendering a part and replaying its input.
  useLayoutEffect(() => {
    if (!isHydrating) dispatchEvent(new Event("hydrated"));
  }, [isHydrating]);
  return children;
}

/** Marks an element for `web/start/page-loader.ts` until it is hydrated. */
export function useHydratingMark(): { "data-hydrating"?: "" } {
  return useHydrated() ? {} : { "data-hydrating": "" };
}

/** Fetches the data before the page shows, because late content would shift the layout. */
export async function fetchPageData<Key>({ queriesOf }: PageData<Key>, key: Key): Promise<void> {
  await readAll(browserQueries, queriesOf(key));
}

/** Doesn't throw if a query fails. */
export async function readAll(queries: QueryClient, asked: PageQuery[]): Promise<void> {
  await Promise.all(
    asked.map((query) =>
      "initialPageParam" in query
        ? queries.prefetchInfiniteQuery(query as FetchInfiniteQueryOptions)
        : queries.prefetchQuery(query as FetchQueryOptions),
    ),
  );
}

/** A digest of the data, to compare with the markup's. Undefined until all data is read. */
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

/** For a list, the items and cursors of its pages. */
function contentOf(data: unknown): unknown {
  return (data as ListData)?.pages?.map(({ body, next }) => [body, next ?? null]) ?? data;
}

/** A short digest (FNV-1a, 32 bits) of the characters of a value's JSON. */
export function digestOf(value: unknown): string {
  let hash = 0x811c9dc5;
  for (const char of JSON.stringify(value))
    hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193);
  return (hash >>> 0).toString(36);
}

const fetched = new Map<string, Promise<string>>();

/** One promise per key, for `use`. Resolves to the digest of the data, after any retries. */
function fetchForHydration<Key>(page: PageData<Key>, key: Key): Promise<string> {
  const name = JSON.stringify(page.queriesOf(key));
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

/** Resolves at the visitor's next action, when the browser is online again, or after 10 s. */
function nextAttempt(): Promise<void> {
  return new Promise((resolve) => {
    const attempt = new AbortController();
    const go = () => {
      attempt.abort();
      resolve();
    };
    setTimeout(go, 10_000);
    for (const type of ["online", "pointerdown", "keydown"])
      addEventListener(type, go, { signal: attempt.signal });
  });
}
