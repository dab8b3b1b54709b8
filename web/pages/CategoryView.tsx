import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { NavLink } from "react-router";
import { listCategories, listCategoryProducts, readCategory } from "#contract/categories.ts";
import { type Api, listOf, queryOf } from "#web/api/api.ts";
import { ProductGridSkeleton } from "#web/features/products/ProductGrid.tsx";
import type { SearchAddress } from "#web/features/search/search-address.ts";
import { paths } from "#web/paths.ts";
import { ButtonLink } from "#web/ui/Link.tsx";
import { Notice } from "#web/ui/Notice.tsx";
import { QueryState } from "#web/ui/QueryState.tsx";
import { useScrollIntoView } from "#web/ui/use-scroll-into-view.ts";
import { ProductListing } from "./product-listing.tsx";

export function categoryOf({ category: id = "" }: SearchAddress, api?: Api) {
  return queryOf(readCategory, { params: { id } }, api);
}

export function listIn({ category: id = "" }: SearchAddress, api?: Api) {
  return listOf(listCategoryProducts, { params: { id } }, api);
}

/** A hidden category has a name but no link. */
export function CategoryHeading({ address }: { address: SearchAddress }) {
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

export function NewestProducts({ address }: { address: SearchAddress }) {
  const products = useInfiniteQuery({ ...listIn(address), refetchOnMount: false });
  return (
    <QueryState
      query={products}
      skeleton={<ProductGridSkeleton />}
      empty={
        <Notice title="Nothing for sale here right now" drawing>
          <p>Laptops come and go quickly. Try another category.</p>
          <ButtonLink to={`${paths.home()}#categories`}>All categories</ButtonLink>
        </Notice>
      }
    >
      {(list) => <ProductListing products={list} aboveFold />}
    </QueryState>
  );
}
