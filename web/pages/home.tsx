import { useInfiniteQuery } from "@tanstack/react-query";
import { listCategories } from "#contract/categories.ts";
import { readConfig } from "#contract/config.ts";
import { isPlausiblePrice } from "#contract/price.ts";
import { listAdvertisedProducts } from "#contract/products.ts";
import { listOf, queryOf } from "#web/api/api.ts";
import { browserQueries, freshFromLoader } from "#web/api/query-client.ts";
import { Carousel } from "#web/features/home/Carousel.tsx";
import { CategoryGrid } from "#web/features/home/CategoryGrid.tsx";
import { Guarantees } from "#web/features/home/Guarantees.tsx";
import { Promo } from "#web/features/invitations/Promo.tsx";
import { pageMeta } from "#web/page-meta.ts";
import {
  fetchPageData,
  type PageData,
  ServerRendered,
  useHydratingMark,
} from "#web/start/markup.tsx";
import { configForMarkup, readForMarkup } from "#web/start/read-for-markup.ts";
import { QueryState } from "#web/ui/QueryState.tsx";
import type { Route } from "./+types/home.ts";
import { ProductListing } from "./product-listing.tsx";

export const meta = pageMeta(
  "Used laptops, paid safely, handed over in person",
  "Buy and sell used laptops. Find one near you, hold it, and pay when you're sure.",
);

/** Few enough to keep the page light. The Show more button loads more. */
const firstAdvertised = { query: { limit: 12 } };
const known = { staleTime: "static" } as const;

const page: PageData<null> = {
  queriesOf: (_, api) => [
    { ...queryOf(listCategories, {}, api), ...known },
    { ...listOf(listAdvertisedProducts, firstAdvertised, api), ...known },
  ],
};

/** The page works even if the settings can't be read. */
export async function loader({ context }: Route.LoaderArgs) {
  const config = await configForMarkup(context).catch(() => undefined);
  const { digest } = await readForMarkup(context, page, null);
  return { digest, promo: config?.invitations.promo };
}

export async function clientLoader() {
  const reading = browserQueries.query({ ...queryOf(readConfig, {}), ...known });
  const [config] = await Promise.all([reading.catch(() => undefined), fetchPageData(page, null)]);
  return { digest: undefined, promo: config?.invitations.promo };
}

export { shouldRevalidate } from "./product-dialogs.tsx";

export default function Home({ loaderData }: Route.ComponentProps) {
  const lists = { page, pageKey: null, digest: loaderData?.digest };
  return (
    <div className="flex flex-col gap-16 sm:gap-24">
      <div className="flex flex-col gap-10">
        <ServerRendered {...lists}>
          <Welcome />
        </ServerRendered>
        <Guarantees />
      </div>
      <ServerRendered {...lists}>
        <Lists />
      </ServerRendered>
      {loaderData?.promo && <Promo words={loaderData.promo} />}
    </div>
  );
}

function useAdvertised() {
  return useInfiniteQuery({
    ...listOf(listAdvertisedProducts, firstAdvertised),
    ...freshFromLoader,
  });
}

function Welcome() {
  const { data: laptops = [] } = useAdvertised();
  return <Carousel laptops={laptops.filter((one) => one.verify && isPlausiblePrice(one))} />;
}

/** The categories come first if the advertised laptops fill more than one row of three. */
function Lists() {
  const { data: { length } = [] } = useAdvertised();
  const lists = [<CategoryGrid key="categories" />, <AdvertisedItems key="advertised" />];
  return length > 3 ? lists : lists.reverse();
}

function AdvertisedItems() {
  const advertised = useAdvertised();
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
