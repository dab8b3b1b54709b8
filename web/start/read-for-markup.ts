import { type DehydratedState, dehydrate } from "@tanstack/react-query";
import type { RouterContextProvider } from "react-router";
import { readConfig } from "#contract/config.ts";
import { pageContext, publicApi, queryOf } from "../api/api.ts";
import { digestOfPage, type PageData, readAll } from "./markup.ts";
import { errorOf } from "./missing.ts";
import { renderQueries } from "./server-render.ts";

type Context = Readonly<RouterContextProvider>;

/** Throws the first error unless `mayFail`. */
export async function readForMarkup<Key>(context: Context, page: PageData<Key>, key: Key) {
  const queries = renderQueries(context);
  const asked = page.queriesOf(key, publicApi(context.get(pageContext).fetch));
  await readAll(queries, asked);
  const failed = asked.map((query) => errorOf(queries, query)).find((error) => error !== null);
  if (failed && !page.mayFail) throw failed;
  return { queries, digest: digestOfPage(queries, page, key) };
}

/** The page also works without the settings. */
export async function prefetchConfig(context: Context): Promise<void> {
  const api = publicApi(context.get(pageContext).fetch);
  await renderQueries(context).prefetchQuery(queryOf(readConfig, {}, api));
}

const settings: PageData<null> = { queriesOf: (_, api) => [queryOf(readConfig, {}, api)] };

/**
 * The loader of sign-in pages, which show settings. Zero timestamps give the same bytes for the
 * same data, and make the browser refetch.
 */
export async function configLoader({ context }: { context: Context }): Promise<DehydratedState> {
  const { queries } = await readForMarkup(context, settings, null);
  const state = dehydrate(queries);
  for (const query of state.queries) {
    query.state.dataUpdatedAt = 0;
    query.dehydratedAt = 0;
  }
  return state;
}
