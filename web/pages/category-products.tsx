import { useQuery } from "@tanstack/react-query";
import { useParams, useSearchParams } from "react-router";
import { listCategories } from "#contract/categories.ts";
import { queryOf } from "#web/api/api.ts";
import { browserQueries } from "#web/api/query-client.ts";
import { requireMember, throwIfNotFound } from "#web/auth/guard.ts";
import { CategoryReadout } from "#web/features/products/CategoryReadout.tsx";
import { CategoryJsonLd } from "#web/features/products/JsonLd.tsx";
import {
  addressOfCategory,
  isSearch,
  type SearchAddress,
  searchWith,
} from "#web/features/search/search-address.ts";
import { Breadcrumbs } from "#web/features/site/Breadcrumbs.tsx";
import { paths } from "#web/paths.ts";
import { fetchPageData, type PageData } from "#web/start/markup.tsx";
import { errorOf } from "#web/start/missing.ts";
import { readForMarkup } from "#web/start/read-for-markup.ts";
import { buttonClass } from "#web/ui/Button.tsx";
import { Spinner } from "#web/ui/Spinner.tsx";
import type { Route } from "./+types/category-products.ts";
import { CategoryHeading, categoryOf, listIn, NewestProducts } from "./CategoryView.tsx";
import { resultsPage, SearchResults } from "./search-results.tsx";

const page: PageData<SearchAddress> = {
  queriesOf: (address, api) =>
    isSearch(address)
      ? resultsPage.queriesOf(address, api)
      : [
          { ...queryOf(listCategories, {}, api), staleTime: "static" },
          { ...categoryOf(address, api), staleTime: "static" },
          listIn(address, api),
        ],
  mayFail: true,
};

/** The products are fetched before the page shows (specification 2.3). */
export async function clientLoader({ request, params }: Route.ClientLoaderArgs) {
  const address = addressOfCategory(params.id, new URL(request.url).searchParams);
  // The lists are public, so they are fetched while the session is read.
  const fetching = fetchPageData(page, address);
  await requireMember(request);
  await fetching;
  if (!isSearch(address)) throwIfNotFound(errorOf(browserQueries, listIn(address)));
}

export { shouldRevalidate } from "./search-results.tsx";

/** Reads the data that `HydrateFallback` renders on the server. */
export async function loader({ request, context, params }: Route.LoaderArgs) {
  const address = addressOfCategory(params.id, new URL(request.url).searchParams);
  await readForMarkup(context, page, address);
}

clientLoader.hydrate = true as const;

/** Shows a spinner until `clientLoader` has run. Without scripts, shows the category's laptops. */
export function HydrateFallback() {
  const { id = "" } = useParams();
  const address = addressOfCategory(id, useSearchParams()[0]);
  return (
    <>
      <CategoryJsonLd id={id} />
      <div className="needs-scripts">
        <Spinner />
      </div>
      <noscript>
        <CategoryHeading address={address} />
        {isSearch(address) ? (
          <SearchResults address={address} />
        ) : (
          <>
            <a
              href={searchWith(address, { sort: "newest" })}
              className={`${buttonClass({ look: "plain" })} mb-6`}
            >
              Filters
            </a>
            <CategoryReadout id={id} />
          </>
        )}
      </noscript>
    </>
  );
}

export default function CategoryProducts({ params: { id } }: Route.ComponentProps) {
  const address = addressOfCategory(id, useSearchParams()[0]);
  const { data: category } = useQuery(categoryOf(address));
  return (
    <>
      <Breadcrumbs
        above={[
          { name: "Home", to: paths.home() },
          { name: "Product Categories", to: `${paths.home()}#categories` },
        ]}
        here={category?.product_category ?? ""}
      />
      <CategoryHeading address={address} />
      <SearchResults address={address} list={<NewestProducts address={address} />} />
    </>
  );
}
