import type { ComponentProps } from "react";
import { useSearchParams } from "react-router";
import type { Laptop, WithdrawnLaptop } from "#contract/laptop-page.ts";
import { LaptopJsonLd } from "#web/features/products/JsonLd.tsx";
import { LaptopDetails } from "#web/features/products/LaptopDetails.tsx";
import { ProductGrid, useOwnProductIds } from "#web/features/products/ProductGrid.tsx";
import { VerifiedBadgePopover } from "#web/features/products/VerifiedBadge.tsx";
import { SaveButton } from "#web/features/saved/SaveButton.tsx";
import { Breadcrumbs } from "#web/features/site/Breadcrumbs.tsx";
import { paths } from "#web/paths.ts";
import { useHydratingMark } from "#web/start/markup.tsx";
import { Icon } from "#web/ui/Icon.tsx";
import { ButtonLink } from "#web/ui/Link.tsx";
import { useProductDialogs } from "./product-dialogs.tsx";
import "#web/features/products/laptop.css";

type LaptopViewProps = { laptop: Laptop | WithdrawnLaptop; complaintHours: number | undefined };

export function LaptopView({ laptop, complaintHours }: LaptopViewProps) {
  const { similar, ...product } = laptop;
  const category = { name: laptop.category, to: paths.categoryProducts(laptop.product_categoryId) };
  const isOwn = useOwnProductIds().has(laptop._id);
  const [query] = useSearchParams();
  // A sold laptop can still be reported, for example by its buyer.
  const hasDialog =
    !product.withdrawn && (product.sales_status === "available" || query.has("report"));
  const { notice, dialog, ...open } = useProductDialogs(
    hasDialog ? [product, ...similar] : similar,
  );
  return (
    <div {...useHydratingMark()}>
      <Breadcrumbs
        above={[{ name: "Home", to: paths.home() }, category]}
        here={laptop.product_name}
      />
      {notice}
      {laptop.withdrawn ? (
        <>
          <h1 className="text-title">{laptop.product_name}</h1>
          <p className="mt-2 mb-6 text-muted">This laptop is no longer for sale.</p>
          <ButtonLink to={category.to}>See other laptops</ButtonLink>
        </>
      ) : (
        <>
          <LaptopJsonLd laptop={laptop} />
          <LaptopDetails
            laptop={laptop}
            own={isOwn}
            complaintHours={complaintHours}
            actions={
              <>
                <SaveButton id={laptop._id} />
                {/* `add` adds the laptop to this tab's last comparison. */}
                <ButtonLink
                  to={`${paths.compare()}?ids=${laptop._id}&add=`}
                  rel="nofollow"
                  look="quiet"
                >
                  <Icon name="arrow-left-right" className="size-4" />
                  Compare
                </ButtonLink>
              </>
            }
            onBook={() => open.onBook(laptop)}
            onReport={() => open.onReport(laptop)}
          />
        </>
      )}
      <SimilarLaptops products={similar} {...open} />
      {dialog}
    </div>
  );
}

function SimilarLaptops({ products, onBook, onReport }: ComponentProps<typeof ProductGrid>) {
  if (products.length === 0) return <VerifiedBadgePopover />;
  return (
    <section aria-labelledby="similar-title" className="mt-16">
      <h2 id="similar-title" className="mb-6 text-title">
        Similar laptops
      </h2>
      <ProductGrid products={products} onBook={onBook} onReport={onReport} />
    </section>
  );
}
