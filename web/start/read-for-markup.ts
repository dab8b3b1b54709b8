import { type DehydratedState, dehydrate } from "@tanstack/react-query";
import type { RouterContextProvider } from "react-router";
import { type PublicConfig, readConfig } from "#contract/config.ts";
import { pageContext, publicApi, queryOf } from "../api/api.ts";
import { digestOfPage, type PageData, readAll } from "./markup.tsx";
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

export async function configForMarkup(context: Context): Promise<PublicConfig> {
  const api = publicApi(context.get(pageContext).fetch);
  return await renderQueries(context).query(queryOf(readConfig, {}, api));
}

/**
 * The loader of sign-in pages, which show settings. Zero timestamps give the same bytes for the
 * same data, and make the browser refetch.
 */
export async function configLoader({ context }: { context: Context }): Promise<DehydratedState> {
  await configForMarkup(context);
  const state = dehydrate(renderQueries(context));
  for (const query of state.queries) {
    query.state.dataUpdatedAt = 0;
    query.dehydratedAt = 0;
  }
  return state;
}
