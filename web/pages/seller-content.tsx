import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { listSellerReviews } from "#contract/reviews.ts";
import { listSellerLaptops, readSeller } from "#contract/sellers.ts";
import { listOf, queryOf } from "#web/api/api.ts";
import { freshFromLoader } from "#web/api/query-client.ts";
import { ProductGridSkeleton } from "#web/features/products/ProductGrid.tsx";
import { VerifiedBadge, VerifiedBadgePopover } from "#web/features/products/VerifiedBadge.tsx";
import { SellerReviews } from "#web/features/reviews/SellerReviews.tsx";
import { SellerHead } from "#web/features/sellers/SellerHead.tsx";
import type { PageData } from "#web/start/markup.ts";
import { useHydratingMark } from "#web/start/ServerRendered.tsx";
import { QueryState } from "#web/ui/QueryState.tsx";
import { ProductListing } from "./product-listing.tsx";

/** The first items, few enough to keep the page light. The Show more button loads the rest. */
export function requestsFor(id: string) {
  const params = { id };
  return {
    seller: { params },
    laptops: { params, query: { limit: 12 } },
    reviews: { params, query: { limit: 10 } },
  };
}

/** The data of `SellerContent`. */
export const sellerPage: PageData<string> = {
  queriesOf(id, api) {
    const { seller, laptops, reviews } = requestsFor(id);
    return [
      queryOf(readSeller, seller, api),
      listOf(listSellerLaptops, laptops, api),
      listOf(listSellerReviews, reviews, api),
    ];
  },
};

/** A seller with their laptops and reviews. */
export function SellerContent({ id }: { id: string }) {
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
