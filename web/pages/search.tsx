import type { QueryClient } from "@tanstack/react-query";
import { type ShouldRevalidateFunctionArgs, useSearchParams } from "react-router";
import { listCategories } from "#contract/categories.ts";
import { search } from "#contract/search.ts";
import { queryOf } from "#web/api/api.ts";
import { digestOf } from "#web/api/digest.ts";
import { queryForMarkup } from "#web/api/prefetch.ts";
import { browserQueries } from "#web/api/query-client.ts";
import {
  addressOfSearch,
  requestOf,
  type SearchAddress,
  searchOf,
} from "#web/features/search/search-address.ts";
import { metaTags, notIndexed } from "#web/page-meta.ts";
import { PageHeading } from "#web/ui/PageHeading.tsx";
import { nextAttempt, ServerRendered, useHydratingMark } from "#web/ui/ServerRendered.tsx";
import type { Route } from "./+types/search.ts";
import { fetchResults, SearchResults } from "./search-results.tsx";

/** Its HTML depends on the query (server/pages/pages.ts). */
export const handle = { readsQuery: true };

export const meta = (route: Route.MetaArgs) => {
  const query = new URLSearchParams(route.location.search);
  const description = "Search used laptops by model, processor, memory, price, battery and place.";
  // Each search is another page with the same laptops.
  const isVariant = query.size > 0;
  return [
    ...metaTags({ title: titleOf(query), description, isVariant }, route),
    ...(isVariant ? [notIndexed] : []),
  ];
};

export async function loader({ request, context }: Route.LoaderArgs) {
  const asked = requestOf(addressOfSearch(new URL(request.url).searchParams));
  const queries = await queryForMarkup(context, (known, api) =>
    Promise.all([
      known.prefetchQuery(queryOf(listCategories, {}, api)),
      known.prefetchQuery(queryOf(search, asked, api)),
    ]),
  );
  return { digest: digestOfAnswer(queries, asked) };
}

type Asked = ReturnType<typeof requestOf>;

function digestOfAnswer(queries: QueryClient, asked: Asked): string {
  const { data, error } = queries.getQueryState(queryOf(search, asked).queryKey) ?? {};
  const categories = queries.getQueryData(queryOf(listCategories, {}).queryKey);
  return digestOf([categories ?? null, data ?? null, error?.message ?? null]);
}

/** Fetches the results before the page shows, so that Back restores the scroll position. */
export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  await fetchResults(addressOfSearch(new URL(request.url).searchParams));
}

let fetched: Promise<string> | undefined;

/** Fetches once, for hydration, the search in the URL that the document was opened with. */
function fetchForHydration(): Promise<string> {
  fetched ??= fetchUntilRead(addressOfSearch(new URLSearchParams(location.search)));
  return fetched;
}

async function fetchUntilRead(address: SearchAddress): Promise<string> {
  await fetchResults(address);
  const asked = requestOf(address);
  const state = browserQueries.getQueryState(queryOf(search, asked).queryKey);
  if (state?.data !== undefined || isRefused(state?.error))
    return digestOfAnswer(browserQueries, asked);
  await nextAttempt();
  return await fetchUntilRead(address);
}

function isRefused(error: unknown): boolean {
  return error instanceof Object && "status" in error && error.status === 400;
}

/** Ignores query changes from opening or closing a dialog. */
export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs) {
  const [from, to] = [currentUrl, nextUrl].map((url) => JSON.stringify(searchOf(url.searchParams)));
  return from !== to || currentUrl.pathname !== nextUrl.pathname;
}

function titleOf(query: URLSearchParams): string {
  const q = query.get("q")?.trim();
  return q ? `Search: ${q}` : "Search laptops";
}

export default function Search({ loaderData }: Route.ComponentProps) {
  return (
    <ServerRendered digest={loaderData?.digest} fetchAgain={fetchForHydration}>
      <Results />
    </ServerRendered>
  );
}

function Results() {
  const [query] = useSearchParams();
  return (
    <div {...useHydratingMark()}>
      <PageHeading title={titleOf(query)} />
      <SearchResults address={addressOfSearch(query)} />
    </div>
  );
}
