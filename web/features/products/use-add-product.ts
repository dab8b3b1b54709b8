import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { changesOf } from "#contract/call-resources.ts";
import { salesStatuses } from "#contract/life-cycle.ts";
import { addProduct } from "#contract/products.ts";
import { browserApi, useMutationOnce } from "#web/api/api.ts";
import { clearDraft } from "#web/ui/drafts.ts";
import { toast } from "#web/ui/toast.ts";
import type { PictureUploads } from "./picture-uploads.ts";
import { type FilledProduct, productDraft, toRequest } from "./product-form.ts";
import { uploadListingPhoto } from "./upload-listing-photo.ts";

/**
 * Waits for the other pictures, uploads the cover, then adds the product. `progress` is the
 * uploaded share of the cover, 0 to 1, if known.
 */
export function useAddProduct(seller: Seller, pictures: PictureUploads, onAdded: () => void) {
  const queries = useQueryClient();
  const [progress, setProgress] = useState<number | undefined>(0);
  // The time is fixed per form, because a retry after a lost response must send the same request.
  const [postedAt] = useState(() => new Date().toISOString());
  const add = useMutationOnce({
    mutationFn: async ({ photo, floor: _, ...product }: FilledProduct) => {
      const others = await pictures.addresses();
      const img = await uploadListingPhoto(queries, photo, setProgress);
      const known = { ...ownFields(seller), postedAt };
      const images = others.length > 0 ? { images: [img, ...others] } : {};
      await browserApi(addProduct, { body: { ...toRequest(product, img), ...images, ...known } });
    },
    onSuccess: (_, { productName }) => {
      toast.success(`Product ${productName} is added successfully`);
      clearDraft(productDraft.name);
      onAdded();
    },
    meta: { changes: changesOf(addProduct) },
  });
  return { ...add, progress };
}

export type Seller = { name: string; email: string; verify: boolean };

/**
 * Fields that specification 7 (POST /products) puts in the request. The server sets them anyway.
 */
function ownFields({ name, email, verify }: Seller) {
  const sales_status = salesStatuses[0];
  return { sellerEmail: email, seller_name: name, sales_status, advertise: false, verify };
}
