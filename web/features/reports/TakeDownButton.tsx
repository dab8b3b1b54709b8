import { lazy, Suspense, useState } from "react";
import type { ProductWithContact } from "#contract/products.ts";
import { Button } from "#web/ui/Button.tsx";

export function TakeDownButton({ product }: { product: ProductWithContact }) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button
        look="plain"
        size="small"
        aria-label={`Take down ${product.product_name}`}
        onClick={() => setAsking(true)}
      >
        Take down
      </Button>
      {asking && (
        <Suspense fallback={null}>
          <TakeDownDialog product={product} onClose={() => setAsking(false)} />
        </Suspense>
      )}
    </>
  );
}

const TakeDownDialog = lazy(() => import("./TakeDownDialog.tsx"));
