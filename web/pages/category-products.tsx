import { useQuery } from "@tanstack/react-query";
import { type ShouldRevalidateFunctionArgs, useSearchParams } from "react-router";
import { listCategories, listCategoryProducts, readCategory } from "#contract/categories.ts";
import { type Api, listOf, queryOf } from "#web/api/api.ts";
import { browserQueries } from "#web/api/query-client.ts";
import { requireMember, throwIfNotFound } from "#web/auth/guard.ts";
import { MembersOnly } from "#web/auth/MembersOnly.tsx";
import { CategoryHeading } from "#web/features/products/CategoryHeading.tsx";
import { CategoryJsonLd } from "#web/features/products/ListJsonLd.tsx";
import {
  addressOfCategory,
  isSearch,
  type SearchAddress,
  searchOf,
  searchWith,
} from "#web/features/search/search-address.ts";
import { Breadcrumbs } from "#web/features/site/Breadcrumbs.tsx";
import { paths } from "#web/paths.ts";
import {
  digestOfPage,
  fetchForHydration,
  fetchPageData,
  type PageData,
} from "#web/start/markup.ts";
import { errorOf } from "#web/start/missing.ts";
import { readForMarkup } from "#web/start/read-for-markup.ts";
import { ServerRendered, useHydratingMark } from "#web/start/ServerRendered.tsx";
import { buttonClass } from "#web/ui/Button.tsx";
import type { Route } from "./+types/category-products.ts";
import { NewestProducts } from "./newest-products.tsx";
import { resultsPage, SearchResults } from "./search-results.tsx";

/** The category's laptops, or the results of a search in the category. */
const page: PageData<SearchAddress> = {
  queriesOf: (address, api) => [
    { ...categoryOf(address, api), staleTime: "static" },
    ...(isSearch(address)
      ? resultsPage.queriesOf(address, api)
      : [
          { ...queryOf(listCategories, {}, api), staleTime: "static" as const },
          listIn(address, api),
        ]),
  ],
  isAnswer: resultsPage.isAnswer,
  mayFail: true,
};

function categoryOf({ category: id = "" }: SearchAddress, api?: Api) {
  return queryOf(readCategory, { params: { id } }, api);
}

function listIn({ category: id = "" }: SearchAddress, api?: Api) {
  return listOf(listCategoryProducts, { params: { id } }, api);
}

/** Reads the data of the markup, which is the same for everybody. */
export async function loader({ request, context, params }: Route.LoaderArgs) {
  const address = addressOfCategory(params.id, new URL(request.url).searchParams);
  const queries = await readForMarkup(context, page, address);
  return { digest: digestOfPage(queries, page, address) };
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

/** Ignores query changes from opening or closing a dialog. */
export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs) {
  if (currentUrl.href === nextUrl.href) return true;
  const [from, to] = [currentUrl, nextUrl].map((url) => JSON.stringify(searchOf(url.searchParams)));
  return from !== to || currentUrl.pathname !== nextUrl.pathname;
}

export default function CategoryProducts({ params: { id }, loaderData }: Route.ComponentProps) {
  const address = addressOfCategory(id, useSearchParams()[0]);
  return (
    <MembersOnly>
      <ServerRendered
        digest={loaderData?.digest}
        fetchAgain={() => fetchForHydration(page, address)}
      >
        <Content id={id} address={address} />
      </ServerRendered>
    </MembersOnly>
  );
}

function Content({ id, address }: { id: string; address: SearchAddress }) {
  const { data: categories = [] } = useQuery(queryOf(listCategories, {}));
  const { data: category } = useQuery(categoryOf(address));
  return (
    <div {...useHydratingMark()}>
      <CategoryJsonLd id={id} />
      <Breadcrumbs
        above={[
          { name: "Home", to: paths.home() },
          { name: "Product Categories", to: `${paths.home()}#categories` },
        ]}
        here={category?.product_category ?? ""}
      />
      <CategoryHeading categories={categories} category={category} path={address.path} />
      {/* A page with the filters, for browsers without scripts. */}
      {!isSearch(address) && (
        <noscript>
          <a
            href={searchWith(address, { sort: "newest" })}
            className={`${buttonClass({ look: "plain" })} mb-6`}
          >
            Filters and all laptops
          </a>
        </noscript>
      )}
      <SearchResults address={address} list={<NewestProducts id={id} />} />
    </div>
  );
}
