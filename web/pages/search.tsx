import { useSearchParams } from "react-router";
import { addressOfSearch } from "#web/features/search/search-address.ts";
import { metaTags, notIndexed } from "#web/page-meta.ts";
import { fetchPageData, ServerRendered, useHydratingMark } from "#web/start/markup.tsx";
import { readForMarkup } from "#web/start/read-for-markup.ts";
import type { Route } from "./+types/search.ts";
import { resultsPage, SearchResults } from "./search-results.tsx";

/** The page's HTML depends on the query (server/pages/pages.ts). */
export const handle = { readsQuery: true };

export const meta = (route: Route.MetaArgs) => {
  const query = new URLSearchParams(route.location.search);
  const description = "Search used laptops by model, processor, memory, price, battery and place.";
  // A page with a search is a variant, because it shows laptops that other pages show too.
  const isVariant = query.size > 0;
  return [
    ...metaTags({ title: titleOf(query), description, isVariant }, route),
    ...(isVariant ? [notIndexed] : []),
  ];
};

export async function loader({ request, context }: Route.LoaderArgs) {
  const address = addressOfSearch(new URL(request.url).searchParams);
  const { digest } = await readForMarkup(context, resultsPage, address);
  return { digest };
}

/** Fetches the results before the page shows, so that Back restores the scroll position. */
export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  await fetchPageData(resultsPage, addressOfSearch(new URL(request.url).searchParams));
}

export { shouldRevalidate } from "./search-results.tsx";

function titleOf(query: URLSearchParams): string {
  const q = query.get("q")?.trim();
  return q ? `Search: ${q}` : "Search laptops";
}

export default function Search({ loaderData }: Route.ComponentProps) {
  const address = addressOfSearch(useSearchParams()[0]);
  return (
    <ServerRendered page={resultsPage} pageKey={address} digest={loaderData?.digest}>
      <Results />
    </ServerRendered>
  );
}

function Results() {
  const [query] = useSearchParams();
  return (
    <div {...useHydratingMark()}>
      <h1 className="list-title mb-4 sm:mb-8">{titleOf(query)}</h1>
      <SearchResults address={addressOfSearch(query)} />
    </div>
  );
}
