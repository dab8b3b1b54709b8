import { type QueryClient, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { data as respond } from "react-router";
import { CallError, type Connection } from "#contract/client.ts";
import { listSellerReviews } from "#contract/reviews.ts";
import { sellerPath } from "#contract/seller-path.ts";
import { listSellerLaptops, readSeller } from "#contract/sellers.ts";
import { listOf, publicApi, queryOf } from "#web/api/api.ts";
import { digestOf } from "#web/api/digest.ts";
import { queryForMarkup } from "#web/api/prefetch.ts";
import { browserQueries, freshFromLoader } from "#web/api/query-client.ts";
import { ProductGridSkeleton } from "#web/features/products/ProductGrid.tsx";
import { VerifiedBadge, VerifiedBadgePopover } from "#web/features/products/VerifiedBadge.tsx";
import { SellerReviews } from "#web/features/reviews/SellerReviews.tsx";
import { SellerHead } from "#web/features/sellers/SellerHead.tsx";
import { metaTags, notIndexed } from "#web/page-meta.ts";
import { QueryState } from "#web/ui/QueryState.tsx";
import { nextAttempt, ServerRendered, useHydratingMark } from "#web/ui/ServerRendered.tsx";
import type { Route } from "./+types/seller.ts";
import { shouldRevalidate } from "./product-dialogs.tsx";
import { ProductListing } from "./product-listing.tsx";

export const meta = ({ loaderData, ...route }: Route.MetaArgs) => {
  const name = loaderData?.name;
  if (name === undefined) return [...metaTags({ title: "Page not found" }, route), notIndexed];
  return metaTags({ title: name, description: `Used laptops from ${name}, and reviews.` }, route);
};

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Called by the server before rendering: finds the seller (server/pages/site.ts). */
export const handle = {
  async lookUp({ id = "" }: { id?: string }, fetch: Connection["fetch"]) {
    if (!uuid.test(id)) return { status: 404 };
    try {
      const { body } = await publicApi(fetch)(readSeller, { params: { id } });
      return { status: 200, path: sellerPath(body._id) };
    } catch (error) {
      const status = error instanceof CallError ? error.status : 0;
      return status === 404 || status === 410 ? { status } : { status: 200 };
    }
  },
};

/** Few enough for a light page; the rest is behind Show more. */
function requestsFor(id: string) {
  const params = { id };
  return {
    seller: { params },
    laptops: { params, query: { limit: 12 } },
    reviews: { params, query: { limit: 10 } },
  };
}

export async function loader({ context, params: { id } }: Route.LoaderArgs) {
  if (!uuid.test(id)) throw respond(null, { status: id === "gone" ? 410 : 404 });
  const asked = requestsFor(id);
  const queries = await queryForMarkup(context, (queries, api) =>
    Promise.all([
      queries.query(queryOf(readSeller, asked.seller, api)),
      queries.infiniteQuery(listOf(listSellerLaptops, asked.laptops, api)),
      queries.infiniteQuery(listOf(listSellerReviews, asked.reviews, api)),
    ]),
  );
  return { digest: digestOfSeller(queries, id), name: nameIn(queries, id) };
}

/** Waits for the lists, because content that arrives later would shift the page. */
export async function clientLoader({ params: { id } }: Route.ClientLoaderArgs) {
  if (!uuid.test(id)) throw respond(null, { status: 404 });
  const asked = requestsFor(id);
  await Promise.all([
    browserQueries.query(queryOf(readSeller, asked.seller)).catch(throwIfMissing),
    browserQueries.prefetchInfiniteQuery(listOf(listSellerLaptops, asked.laptops)),
    browserQueries.prefetchInfiniteQuery(listOf(listSellerReviews, asked.reviews)),
  ]);
  return { digest: undefined, name: nameIn(browserQueries, id) };
}

export { shouldRevalidate };

function throwIfMissing(error: unknown): never {
  if (error instanceof CallError && (error.status === 404 || error.status === 410))
    throw respond(null, { status: error.status });
  throw error;
}

function nameIn(queries: QueryClient, id: string): string | undefined {
  return queries.getQueryData(queryOf(readSeller, requestsFor(id).seller).queryKey)?.name;
}

/** Undefined until everything has been read. */
function digestOfSeller(queries: QueryClient, id: string): string | undefined {
  const asked = requestsFor(id);
  const seller = queries.getQueryData(queryOf(readSeller, asked.seller).queryKey);
  const laptops = queries.getQueryData(listOf(listSellerLaptops, asked.laptops).queryKey);
  const reviews = queries.getQueryData(listOf(listSellerReviews, asked.reviews).queryKey);
  if (!seller || !laptops || !reviews) return undefined;
  const lists = [...laptops.pages, ...reviews.pages];
  return digestOf([seller, lists.map(({ body, next }) => [body, next ?? null])]);
}

const fetched = new Map<string, Promise<string>>();

function fetchOnce(id: string): Promise<string> {
  const promise = fetched.get(id) ?? fetchUntilRead(id);
  fetched.set(id, promise);
  return promise;
}

async function fetchUntilRead(id: string): Promise<string> {
  const asked = requestsFor(id);
  await Promise.all([
    browserQueries.prefetchQuery(queryOf(readSeller, asked.seller)),
    browserQueries.prefetchInfiniteQuery(listOf(listSellerLaptops, asked.laptops)),
    browserQueries.prefetchInfiniteQuery(listOf(listSellerReviews, asked.reviews)),
  ]);
  const digest = digestOfSeller(browserQueries, id);
  if (digest !== undefined) return digest;
  await nextAttempt();
  return await fetchUntilRead(id);
}

/** A seller's public page, with their laptops and reviews. */
export default function SellerPage({ loaderData, params: { id } }: Route.ComponentProps) {
  return (
    <ServerRendered digest={loaderData?.digest} fetchAgain={() => fetchOnce(id)}>
      <KnownSeller id={id} />
    </ServerRendered>
  );
}

function KnownSeller({ id }: { id: string }) {
  const asked = requestsFor(id);
  const { data: seller } = useQuery({ ...queryOf(readSeller, asked.seller), ...freshFromLoader });
  const reviews = useInfiniteQuery({
    ...listOf(listSellerReviews, asked.reviews),
    ...freshFromLoader,
  });
  const mark = useHydratingMark();
  if (!seller) return null;
  return (
    <div {...mark}>
      <SellerHead seller={seller} badge={<VerifiedBadge checks={seller.checks} />} />
      <section aria-labelledby="for-sale" className="mt-8">
        <h2 id="for-sale" className="mb-6 text-heading">
          For sale
        </h2>
        <Laptops id={id} />
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

function Laptops({ id }: { id: string }) {
  const laptops = useInfiniteQuery({
    ...listOf(listSellerLaptops, requestsFor(id).laptops),
    ...freshFromLoader,
  });
  return (
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
  );
}
