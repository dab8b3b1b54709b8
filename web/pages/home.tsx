import { type QueryClient, useInfiniteQuery } from "@tanstack/react-query";
import { listCategories } from "#contract/categories.ts";
import { readConfig } from "#contract/config.ts";
import { isPlausiblePrice } from "#contract/price.ts";
import { listAdvertisedProducts } from "#contract/products.ts";
import { listOf, queryOf } from "#web/api/api.ts";
import { digestOf } from "#web/api/digest.ts";
import { queryForMarkup } from "#web/api/prefetch.ts";
import { browserQueries, freshFromLoader } from "#web/api/query-client.ts";
import { Carousel } from "#web/features/home/Carousel.tsx";
import { CategoryGrid } from "#web/features/home/CategoryGrid.tsx";
import { Guarantees } from "#web/features/home/Guarantees.tsx";
import { Promo } from "#web/features/invitations/Promo.tsx";
import { pageMeta } from "#web/page-meta.ts";
import { QueryState } from "#web/ui/QueryState.tsx";
import { nextAttempt, ServerRendered, useHydratingMark } from "#web/ui/ServerRendered.tsx";
import type { Route } from "./+types/home.ts";
import { shouldRevalidate } from "./product-dialogs.tsx";
import { ProductListing } from "./product-listing.tsx";

export const meta = pageMeta(
  "Good laptops, second lap",
  "Buy and sell used laptops. Find one near you, hold it, and pay when you're sure.",
);

export async function loader({ context }: Route.LoaderArgs) {
  const queries = await queryForMarkup(context, (queries, api) =>
    Promise.all([
      queries.query(queryOf(listCategories, {}, api)),
      queries.infiniteQuery(listOf(listAdvertisedProducts, firstAdvertised, api)),
      queries.query(queryOf(readConfig, {}, api)),
    ]),
  );
  return { digest: digestOfLists(queries), promo: promoIn(queries) };
}

/** The promo's texts; undefined if the settings could not be read. */
function promoIn(queries: QueryClient) {
  return queries.getQueryData(queryOf(readConfig, {}).queryKey)?.invitations.promo;
}

/** Few enough for a light page; the rest is behind Show more. */
const firstAdvertised = { query: { limit: 12 } };

/** Undefined until both lists have been read. */
function digestOfLists(queries: QueryClient): string | undefined {
  const { queryKey } = listOf(listAdvertisedProducts, firstAdvertised);
  const categories = queries.getQueryData(queryOf(listCategories, {}).queryKey);
  const advertised = queries.getQueryData(queryKey);
  if (!categories || !advertised) return undefined;
  return digestOf([categories, advertised.pages.map(({ body, next }) => [body, next ?? null])]);
}

/** Waits for everything, because content that arrives later would shift the page. */
export async function clientLoader() {
  await fetchContent();
  return { digest: undefined, promo: promoIn(browserQueries) };
}

async function fetchContent(): Promise<void> {
  const known = { staleTime: "static" } as const;
  await Promise.all([
    browserQueries.prefetchQuery({ ...queryOf(readConfig, {}), ...known }),
    browserQueries.prefetchQuery({ ...queryOf(listCategories, {}), ...known }),
    browserQueries.prefetchInfiniteQuery({ ...advertisedQuery, ...known }),
  ]);
}

const advertisedQuery = listOf(listAdvertisedProducts, firstAdvertised);

let fetched: Promise<string> | undefined;

function fetchLists(): Promise<string> {
  fetched ??= fetchUntilRead();
  return fetched;
}

async function fetchUntilRead(): Promise<string> {
  await fetchContent();
  const digest = digestOfLists(browserQueries);
  if (digest !== undefined) return digest;
  await nextAttempt();
  return await fetchUntilRead();
}

export { shouldRevalidate };

/** The home page (specification 1). */
export default function Home({ loaderData }: Route.ComponentProps) {
  const lists = { digest: loaderData?.digest, fetchAgain: fetchLists };
  return (
    <div className="flex flex-col gap-16 sm:gap-24">
      <div className="flex flex-col gap-10">
        <ServerRendered {...lists}>
          <Welcome />
        </ServerRendered>
        <Guarantees />
      </div>
      <ServerRendered {...lists}>
        <AdvertisedItems />
      </ServerRendered>
      <ServerRendered {...lists}>
        <CategoryGrid />
      </ServerRendered>
      {loaderData?.promo && <Promo words={loaderData.promo} />}
    </div>
  );
}

function Welcome() {
  const { data: laptops = [] } = useInfiniteQuery({
    ...advertisedQuery,
    ...freshFromLoader,
  });
  return <Carousel laptops={laptops.filter(isPlausiblePrice)} />;
}

/** Hidden if there are none, but shows errors. */
function AdvertisedItems() {
  const advertised = useInfiniteQuery({
    ...advertisedQuery,
    ...freshFromLoader,
  });
  const mark = useHydratingMark();
  if (!advertised.data?.length && !advertised.isError) return null;
  return (
    <section aria-labelledby="advertised-title" className="advertised" {...mark}>
      <h2 id="advertised-title" className="mb-6 text-title">
        Advertised Items
      </h2>
      <QueryState query={advertised} skeleton={null}>
        {(products) => <ProductListing products={products} />}
      </QueryState>
    </section>
  );
}
