import { lazy } from "react";
import type { ProductWithContact } from "#contract/products.ts";
import { DialogButton } from "#web/ui/DialogButton.tsx";

const TakeDownDialog = lazy(() => import("./TakeDownDialog.tsx"));

export function TakeDownButton({ product }: { product: ProductWithContact }) {
  return (
    <DialogButton
      look="plain"
      size="small"
      aria-label={`Take down ${product.product_name}`}
      dialog={(onClose) => <TakeDownDialog product={product} onClose={onClose} />}
    >
      Take down
    </DialogButton>
  );
}
