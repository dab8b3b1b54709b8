import { HydrationBoundary, useInfiniteQuery } from "@tanstack/react-query";
import { listCategories } from "#contract/categories.ts";
import { listAdvertisedProducts } from "#contract/products.ts";
import { listOf, queryOf } from "#web/api/api.ts";
import { prefetchForRender } from "#web/api/prefetch.ts";
import { browserQueries, freshFromLoader } from "#web/api/query-client.ts";
import { Carousel } from "#web/features/home/Carousel.tsx";
import { CategoryGrid } from "#web/features/home/CategoryGrid.tsx";
import { Guarantees } from "#web/features/home/Guarantees.tsx";
import { Promo } from "#web/features/invites/Promo.tsx";
import { pageMeta } from "#web/meta.ts";
import { QueryState } from "#web/ui/QueryState.tsx";
import type { Route } from "./+types/home.ts";
import { ProductListing, shouldRevalidate } from "./product-listing.tsx";

export const meta = pageMeta(
  "Good laptops, second lap",
  "Buy and sell used laptops. Find one near you, hold it with a tap, look it over, and pay by card.",
);

export function loader({ context }: Route.LoaderArgs) {
  return prefetchForRender(context, (queries, api) =>
    Promise.all([
      queries.query(queryOf(listCategories, {}, api)),
      queries.infiniteQuery(listOf(listAdvertisedProducts, {}, api)),
    ]),
  );
}

/** Waits for both lists, because content that arrived later would shift the page. */
export async function clientLoader() {
  const known = { staleTime: "static" } as const;
  await Promise.all([
    browserQueries.prefetchQuery({ ...queryOf(listCategories, {}), ...known }),
    browserQueries.prefetchInfiniteQuery({ ...listOf(listAdvertisedProducts, {}), ...known }),
  ]);
}

export { shouldRevalidate };

/** The home page (specification 1). */
export default function Home({ loaderData }: Route.ComponentProps) {
  return (
    <HydrationBoundary state={loaderData}>
      <div className="flex flex-col gap-16 sm:gap-24">
        <div className="flex flex-col gap-10">
          <Welcome />
          <Guarantees />
        </div>
        <AdvertisedItems />
        <CategoryGrid />
        <Promo />
      </div>
    </HydrationBoundary>
  );
}

function Welcome() {
  const { data: laptops = [] } = useInfiniteQuery({
    ...listOf(listAdvertisedProducts, {}),
    ...freshFromLoader,
  });
  return <Carousel laptops={laptops} />;
}

/** Hidden if there are none; an error is shown. */
function AdvertisedItems() {
  const advertised = useInfiniteQuery({
    ...listOf(listAdvertisedProducts, {}),
    ...freshFromLoader,
  });
  if (!advertised.data?.length && !advertised.isError) return null;
  return (
    <section aria-labelledby="advertised-title">
      <h2 id="advertised-title" className="mb-6 text-title">
        Advertised Items
      </h2>
      <QueryState query={advertised} skeleton={null}>
        {(products) => <ProductListing products={products} />}
      </QueryState>
    </section>
  );
}
