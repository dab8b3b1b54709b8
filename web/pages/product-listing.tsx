import type { ComponentProps } from "react";
import { ProductGrid } from "#web/features/products/ProductGrid.tsx";
import { paths } from "#web/paths.ts";
import { EmptyIllustration } from "#web/ui/illustrations.tsx";
import { ButtonLink } from "#web/ui/Link.tsx";
import { useProductDialogs } from "./product-dialogs.tsx";

export function ProductListing({
  products,
  aboveFold,
}: Pick<ComponentProps<typeof ProductGrid>, "products" | "aboveFold">) {
  const { notice, dialog, ...open } = useProductDialogs(products);
  return (
    <>
      {notice}
      <ProductGrid
        products={products}
        rest={<BrowseCategories />}
        aboveFold={aboveFold}
        {...open}
      />
      {dialog}
    </>
  );
}

function BrowseCategories() {
  return (
    <div className="flex flex-col items-center gap-5 p-8 text-center">
      <EmptyIllustration />
      <p className="max-w-56 text-balance text-muted">
        Not the one? See laptops from other brands.
      </p>
      <ButtonLink to={`${paths.home()}#categories`} look="plain">
        All categories
      </ButtonLink>
    </div>
  );
}
