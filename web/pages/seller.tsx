import { type QueryClient, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { data as respond } from "react-router";
import type { Connection } from "#contract/client.ts";
import { sellerPath } from "#contract/page-paths.ts";
import { listSellerReviews } from "#contract/reviews.ts";
import { listSellerLaptops, readSeller } from "#contract/sellers.ts";
import { type Api, listOf, publicApi, queryOf } from "#web/api/api.ts";
import { browserQueries, freshFromLoader } from "#web/api/query-client.ts";
import { ProductGridSkeleton } from "#web/features/products/ProductGrid.tsx";
import { SellerHead } from "#web/features/products/SellerHead.tsx";
import { VerifiedBadgePopover } from "#web/features/products/VerifiedBadge.tsx";
import { SellerReviews } from "#web/features/reviews/SellerReviews.tsx";
import { metaTags, notIndexed } from "#web/page-meta.ts";
import {
  fetchPageData,
  type PageData,
  ServerRendered,
  useHydratingMark,
} from "#web/start/markup.tsx";
import { lookUp, requireRead } from "#web/start/missing.ts";
import { readForMarkup } from "#web/start/read-for-markup.ts";
import { QueryState } from "#web/ui/QueryState.tsx";
import type { Route } from "./+types/seller.ts";
import { ProductListing } from "./product-listing.tsx";

export const meta = ({ loaderData, ...route }: Route.MetaArgs) => {
  const name = loaderData?.name;
  if (name === undefined) return [...metaTags({ title: "Page not found" }, route), notIndexed];
  return metaTags({ title: name, description: `Used laptops from ${name}, and reviews.` }, route);
};

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const sellerOf = (id: string, api?: Api) => queryOf(readSeller, { params: { id } }, api);

// Few enough to keep the page light. The Show more button loads more.
const laptopsOf = (id: string, api?: Api) =>
  listOf(listSellerLaptops, { params: { id }, query: { limit: 12 } }, api);
const reviewsOf = (id: string, api?: Api) =>
  listOf(listSellerReviews, { params: { id }, query: { limit: 10 } }, api);

const page: PageData<string> = {
  queriesOf: (id, api) => [sellerOf(id, api), laptopsOf(id, api), reviewsOf(id, api)],
};

/** Called by the server before rendering: finds the seller (server/pages/site.ts). */
export const handle = import.meta.env.SSR && {
  async lookUp({ id = "" }: { id?: string }, fetch: Connection["fetch"]) {
    if (!uuid.test(id)) return { status: 404 };
    return await lookUp(async () => {
      const { body } = await publicApi(fetch)(readSeller, { params: { id } });
      return sellerPath(body._id);
    });
  },
};

export async function loader({ context, params: { id } }: Route.LoaderArgs) {
  if (!uuid.test(id)) throw respond(null, { status: id === "gone" ? 410 : 404 });
  const { queries, digest } = await readForMarkup(context, page, id);
  return { digest, name: nameIn(queries, id) };
}

export async function clientLoader({ params: { id } }: Route.ClientLoaderArgs) {
  if (!uuid.test(id)) throw respond(null, { status: 404 });
  await fetchPageData(page, id);
  requireRead(sellerOf(id));
  return { digest: undefined, name: nameIn(browserQueries, id) };
}

export { shouldRevalidate } from "./product-dialogs.tsx";

function nameIn(queries: QueryClient, id: string): string | undefined {
  return queries.getQueryData(sellerOf(id).queryKey)?.name;
}

export default function SellerPage({ loaderData, params: { id } }: Route.ComponentProps) {
  return (
    <ServerRendered page={page} pageKey={id} digest={loaderData?.digest}>
      <SellerContent id={id} />
    </ServerRendered>
  );
}

function SellerContent({ id }: { id: string }) {
  const { data: seller } = useQuery({ ...sellerOf(id), ...freshFromLoader });
  const laptops = useInfiniteQuery({ ...laptopsOf(id), ...freshFromLoader });
  const reviews = useInfiniteQuery({ ...reviewsOf(id), ...freshFromLoader });
  const mark = useHydratingMark();
  if (!seller) return null;
  return (
    <div {...mark}>
      <SellerHead seller={seller} />
      <section aria-labelledby="for-sale" className="mt-8">
        <h2 id="for-sale" className="mb-6 text-heading">
          For sale
        </h2>
        <QueryState
          query={laptops}
          skeleton={<ProductGridSkeleton />}
          empty={
            <>
              <p className="text-muted">Nothing for sale right now.</p>
              <VerifiedBadgePopover />
            </>
          }
        >
          {(list) => <ProductListing products={list} />}
        </QueryState>
      </section>
      <section aria-labelledby="reviews" className="mt-16">
        <h2 id="reviews" className="mb-6 text-heading">
          Reviews
        </h2>
        <SellerReviews reviews={reviews} />
      </section>
    </div>
  );
}
