import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link, useParams } from "react-router";
import { listCategories, listCategoryProducts } from "#contract/categories.ts";
import { listOf, queryOf } from "#web/api/api.ts";
import { queryForMarkup } from "#web/api/prefetch.ts";
import { browserQueries } from "#web/api/query-client.ts";
import { requireMember, throwIfNotFound } from "#web/auth/guard.ts";
import { CategoryHeading } from "#web/features/products/CategoryHeading.tsx";
import { CategoryReadout } from "#web/features/products/CategoryReadout.tsx";
import { ProductGridSkeleton } from "#web/features/products/ProductGrid.tsx";
import { Breadcrumbs } from "#web/features/site/Breadcrumbs.tsx";
import { paths } from "#web/paths.ts";
import { buttonClass } from "#web/ui/Button.tsx";
import { EmptyIllustration } from "#web/ui/illustrations.tsx";
import { Notice } from "#web/ui/Notice.tsx";
import { QueryState } from "#web/ui/QueryState.tsx";
import { Spinner } from "#web/ui/Spinner.tsx";
import type { Route } from "./+types/category-products.ts";
import { shouldRevalidate } from "./product-dialogs.tsx";
import { ProductListing } from "./product-listing.tsx";

/** The products are fetched before the page shows (specification 2). */
export async function clientLoader({ request, params }: Route.ClientLoaderArgs) {
  // Public lists, asked for while the session is: settled, so that a visitor is sent to log in first.
  const lists = Promise.allSettled([
    browserQueries.infiniteQuery(listOf(listCategoryProducts, { params })),
    browserQueries.prefetchQuery({ ...queryOf(listCategories, {}), staleTime: "static" }),
  ]);
  await requireMember(request);
  const [products] = await lists;
  if (products.status === "rejected") throwIfNotFound(products.reason);
}

export { shouldRevalidate };

/** Read by `HydrateFallback` on the server. */
export async function loader({ context, params }: Route.LoaderArgs) {
  await queryForMarkup(context, (queries, api) =>
    Promise.all([
      queries.prefetchQuery(queryOf(listCategories, {}, api)),
      queries.prefetchInfiniteQuery(listOf(listCategoryProducts, { params }, api)),
    ]),
  );
}

clientLoader.hydrate = true as const;

/** A spinner until the session is known; without scripts, what the category has to offer. */
export function HydrateFallback() {
  const { id = "" } = useParams();
  return (
    <>
      <div className="needs-scripts">
        <Spinner />
      </div>
      <noscript>
        <CategoryReadout id={id} />
      </noscript>
    </>
  );
}

export default function CategoryProducts({ params }: Route.ComponentProps) {
  const { data: categories = [] } = useQuery(queryOf(listCategories, {}));
  const products = useInfiniteQuery({
    ...listOf(listCategoryProducts, { params }),
    refetchOnMount: false,
  });
  return (
    <>
      <Breadcrumbs
        above={[
          { name: "Home", to: paths.home() },
          { name: "Product Categories", to: `${paths.home()}#categories` },
        ]}
        here={categories.find(({ _id }) => _id === params.id)?.product_category ?? ""}
      />
      <CategoryHeading categories={categories} id={params.id} />
      <QueryState query={products} skeleton={<ProductGridSkeleton />} empty={<NoProducts />}>
        {(list) => <ProductListing products={list} aboveFold />}
      </QueryState>
    </>
  );
}

function NoProducts() {
  return (
    <Notice title="Nothing for sale here right now" drawing={<EmptyIllustration />}>
      <p>Laptops come and go quickly. Try another category.</p>
      <Link to={`${paths.home()}#categories`} className={buttonClass()}>
        All categories
      </Link>
    </Notice>
  );
}
