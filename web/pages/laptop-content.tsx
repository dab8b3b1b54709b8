import { useQuery } from "@tanstack/react-query";
import type { ComponentProps } from "react";
import { Link, useSearchParams } from "react-router";
import { type Laptop, readProduct, type WithdrawnLaptop } from "#contract/laptops.ts";
import { queryOf } from "#web/api/api.ts";
import { freshFromLoader } from "#web/api/query-client.ts";
import { CompareLink } from "#web/features/compare/CompareLink.tsx";
import { LaptopDetails } from "#web/features/products/LaptopDetails.tsx";
import { LaptopJsonLd } from "#web/features/products/LaptopJsonLd.tsx";
import { ProductGrid, useOwnProductIds } from "#web/features/products/ProductGrid.tsx";
import { VerifiedBadgePopover } from "#web/features/products/VerifiedBadge.tsx";
import { SaveButton } from "#web/features/saved/SaveButton.tsx";
import { Breadcrumbs } from "#web/features/site/Breadcrumbs.tsx";
import { paths } from "#web/paths.ts";
import { useHydratingMark } from "#web/start/ServerRendered.tsx";
import { buttonClass } from "#web/ui/Button.tsx";
import "#web/features/products/laptop.css";
import { useProductDialogs } from "./product-dialogs.tsx";

type LaptopContentProps = { id: string; complaintHours: number | undefined };

/** Everything about a laptop, even if it is sold or withdrawn. */
export function LaptopContent({ id, complaintHours }: LaptopContentProps) {
  const { data: laptop } = useQuery({
    ...queryOf(readProduct, { params: { id } }),
    ...freshFromLoader,
  });
  const mark = useHydratingMark();
  if (!laptop) return null;
  return (
    <div {...mark}>
      <Breadcrumbs
        above={[
          { name: "Home", to: paths.home() },
          { name: laptop.category, to: paths.categoryProducts(laptop.product_categoryId) },
        ]}
        here={laptop.product_name}
      />
      {laptop.withdrawn ? (
        <Withdrawn laptop={laptop} />
      ) : (
        <Offered laptop={laptop} complaintHours={complaintHours} />
      )}
    </div>
  );
}

type OfferedProps = { laptop: Laptop; complaintHours: number | undefined };

function Offered({ laptop, complaintHours }: OfferedProps) {
  const { similar, ...product } = laptop;
  const [query] = useSearchParams();
  // A sold laptop can still be reported, for example by its buyer.
  const hasDialog = laptop.sales_status === "available" || query.has("report");
  const dialogs = useProductDialogs(hasDialog ? [product, ...similar] : similar);
  const own = useOwnProductIds().has(laptop._id);
  return (
    <>
      <LaptopJsonLd laptop={laptop} />
      {dialogs.notice}
      <LaptopDetails
        laptop={laptop}
        own={own}
        complaintHours={complaintHours}
        actions={
          <>
            <SaveButton id={laptop._id} />
            <CompareLink id={laptop._id} />
          </>
        }
        onBook={() => dialogs.onBook(product)}
        onReport={() => dialogs.onReport(product)}
      />
      <Similar products={similar} {...dialogs} />
      {dialogs.dialog}
    </>
  );
}

function Withdrawn({ laptop }: { laptop: WithdrawnLaptop }) {
  const { product_name, product_categoryId, similar } = laptop;
  const dialogs = useProductDialogs(similar);
  return (
    <>
      {dialogs.notice}
      <h1 className="text-title">{product_name}</h1>
      <p className="mt-2 mb-6 text-muted">This laptop is no longer for sale.</p>
      <Link to={paths.categoryProducts(product_categoryId)} className={buttonClass()}>
        See other laptops
      </Link>
      <Similar products={similar} {...dialogs} />
      {dialogs.dialog}
    </>
  );
}

function Similar({ products, onBook, onReport }: ComponentProps<typeof ProductGrid>) {
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
