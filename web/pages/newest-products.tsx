import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { listCategoryProducts } from "#contract/categories.ts";
import { listOf } from "#web/api/api.ts";
import { ProductGridSkeleton } from "#web/features/products/ProductGrid.tsx";
import { paths } from "#web/paths.ts";
import { buttonClass } from "#web/ui/Button.tsx";
import { EmptyIllustration } from "#web/ui/illustrations.tsx";
import { Notice } from "#web/ui/Notice.tsx";
import { QueryState } from "#web/ui/QueryState.tsx";
import { ProductListing } from "./product-listing.tsx";

/** A category's own list, without a search. */
export function NewestProducts({ id }: { id: string }) {
  const products = useInfiniteQuery({
    ...listOf(listCategoryProducts, { params: { id } }),
    refetchOnMount: false,
  });
  return (
    <QueryState query={products} skeleton={<ProductGridSkeleton />} empty={<NoProducts />}>
      {(list) => <ProductListing products={list} aboveFold />}
    </QueryState>
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
