import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { listOwnProductIds, type Product } from "#contract/products.ts";
import { queryOf } from "#web/api/api.ts";
import { useSession } from "#web/auth/session.ts";
import { paths } from "#web/paths.ts";
import { Button } from "#web/ui/Button.tsx";
import { ProductCard } from "./ProductCard.tsx";
import { VerifiedBadgePopover } from "./VerifiedBadge.tsx";

type ProductGridProps = {
  products: Product[];
  /** Shown after the cards, unless their number is a multiple of six, which fills every row. */
  rest?: ReactNode;
  aboveFold?: boolean | undefined;
  onBook: (product: Product) => void;
  onReport: (product: Product) => void;
};

/** A grid of one, two or three columns (specification 2.4). */
export function ProductGrid({ products, rest, aboveFold, onBook, onReport }: ProductGridProps) {
  const ownIds = useOwnProductIds();
  return (
    <>
      <div className="product-grid">
        {products.map((product, index) => (
          <ProductCard
            key={product._id}
            product={product}
            first={aboveFold === true && index === 0}
            own={ownIds.has(product._id)}
            onBook={() => onBook(product)}
            onReport={() => onReport(product)}
          />
        ))}
        {rest && products.length % 6 > 0 && <div className="product-rest">{rest}</div>}
      </div>
      {/* Works without scripts. `add` adds the laptops to this tab's last comparison. */}
      <form id="compare" action={paths.compare()} className="compare-tray">
        <Button type="submit" name="add" size="small" className="compare-count">
          Compare
        </Button>
      </form>
      <VerifiedBadgePopover />
    </>
  );
}

/** The seller's own product ids, fetched separately: public pages are the same for everyone. */
export function useOwnProductIds(): Set<string> {
  const session = useSession();
  const { data = [] } = useQuery({
    ...queryOf(listOwnProductIds, {}),
    enabled: session?.isSeller === true,
  });
  return new Set(data);
}

export function ProductGridSkeleton({ cards = 3 }: { cards?: number }) {
  const places = Array.from({ length: cards }, (_, index) => String(index));
  return (
    <div className="product-grid">
      {places.map((place) => (
        <div key={place} className="product-card">
          <div className="skeleton aspect-3/2" />
          <div className="skeleton h-10" />
          <div className="skeleton h-12" />
          <div className="skeleton h-20" />
          <div className="skeleton h-5" />
          <div className="skeleton h-10" />
          <div className="skeleton h-8" />
          <div className="skeleton h-8" />
        </div>
      ))}
    </div>
  );
}
