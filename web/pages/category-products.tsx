import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { Link, NavLink, useParams, useSearchParams } from "react-router";
import { listCategories, listCategoryProducts, readCategory } from "#contract/categories.ts";
import { type Api, listOf, queryOf } from "#web/api/api.ts";
import { browserQueries } from "#web/api/query-client.ts";
import { requireMember, throwIfNotFound } from "#web/auth/guard.ts";
import { CategoryReadout } from "#web/features/products/CategoryReadout.tsx";
import { CategoryJsonLd } from "#web/features/products/JsonLd.tsx";
import { ProductGridSkeleton } from "#web/features/products/ProductGrid.tsx";
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
import { Notice } from "#web/ui/Notice.tsx";
import { QueryState } from "#web/ui/QueryState.tsx";
import { Spinner } from "#web/ui/Spinner.tsx";
import { useScrollIntoView } from "#web/ui/use-scroll-into-view.ts";
import type { Route } from "./+types/category-products.ts";
import { ProductListing } from "./product-listing.tsx";
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

function categoryOf({ category: id = "" }: SearchAddress, api?: Api) {
  return queryOf(readCategory, { params: { id } }, api);
}

function listIn({ category: id = "" }: SearchAddress, api?: Api) {
  return listOf(listCategoryProducts, { params: { id } }, api);
}

/** The products are fetched before the page shows (specification 2). */
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

/** Shows a spinner until the session is known. Without scripts, shows the category's laptops. */
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
        <Heading address={address} />
        {isSearch(address) ? (
          <SearchResults address={address} />
        ) : (
          <>
            {/* Links to a page with the filters, for browsers without scripts. */}
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
      <Heading address={address} />
      <SearchResults address={address} list={<NewestProducts address={address} />} />
    </>
  );
}

/** A hidden category has a name but no link. */
function Heading({ address }: { address: SearchAddress }) {
  const { data: categories = [] } = useQuery(queryOf(listCategories, {}));
  const { data: category } = useQuery(categoryOf(address));
  const row = useRef<HTMLUListElement>(null);
  useScrollIntoView(row, address.path);
  return (
    <header className="mb-4 flex flex-col gap-3 sm:mb-8 sm:gap-6">
      <div className="flex items-center gap-3 sm:gap-4">
        {category && <img src={category.brandImg} alt="" className="brand-chip" />}
        <div>
          <h1 className="list-title">Products by Category</h1>
          {category && <h2 className="text-muted">{category.product_category}</h2>}
        </div>
      </div>
      <nav aria-label="Categories">
        <ul ref={row} className="strip py-1.5 lg:mx-0 lg:flex-wrap lg:px-0">
          {categories.map(({ _id, product_category }) => (
            <li key={_id}>
              <NavLink to={paths.categoryProducts(_id)} className="strip-entry">
                {product_category}
              </NavLink>
            </li>
          ))}
        </ul>
      </nav>
    </header>
  );
}

function NewestProducts({ address }: { address: SearchAddress }) {
  const products = useInfiniteQuery({ ...listIn(address), refetchOnMount: false });
  return (
    <QueryState
      query={products}
      skeleton={<ProductGridSkeleton />}
      empty={
        <Notice title="Nothing for sale here right now" drawing>
          <p>Laptops come and go quickly. Try another category.</p>
          <Link to={`${paths.home()}#categories`} className={buttonClass()}>
            All categories
          </Link>
        </Notice>
      }
    >
      {(list) => <ProductListing products={list} aboveFold />}
    </QueryState>
  );
}
