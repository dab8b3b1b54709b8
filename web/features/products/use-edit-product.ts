import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { changesOf } from "#contract/call-resources.ts";
import { setOfferFloor } from "#contract/offers.ts";
import { editProduct, type OwnProduct } from "#contract/products.ts";
import { browserApi } from "#web/api/api.ts";
import { useMutationOnce } from "#web/api/use-mutation-once.ts";
import { clearDraft } from "#web/ui/drafts.ts";
import { toast } from "#web/ui/toast.ts";
import type { PictureUploads } from "./picture-uploads.ts";
import { type FilledProduct, toRequest } from "./product-form.ts";
import { uploadListingPhoto } from "./upload-listing-photo.ts";

type Stored = {
  product: Pick<OwnProduct, "_id">;
  floor: number | null;
  /** The name of the draft to delete once the changes are saved. */
  draft: string;
};

/**
 * Waits for the other pictures, uploads the cover if it is new, then changes the listing, and its
 * lowest price if that is new. If only the lowest price can't be saved, the error says so, and the
 * form stays.
 */
export function useEditProduct(stored: Stored, pictures: PictureUploads, onChanged: () => void) {
  const queries = useQueryClient();
  const [progress, setProgress] = useState<number | undefined>(0);
  const params = { id: stored.product._id };
  const edit = useMutationOnce({
    mutationFn: async ({ photo, floor, ...product }: FilledProduct) => {
      const others = await pictures.addresses();
      const img = await uploadListingPhoto(queries, photo, setProgress);
      const { facts = null, ...body } = toRequest(product, img);
      const images = [img, ...others];
      await browserApi(editProduct, { params, body: { ...body, images, facts } });
      if (floor !== stored.floor)
        await browserApi(setOfferFloor, { params, body: { floor } }).catch(({ message }: Error) => {
          throw new Error(`Your changes are saved, except for the lowest price. ${message}`);
        });
    },
    onSuccess: (_, { productName }) => {
      toast.success(`Product ${productName} is changed.`);
      clearDraft(stored.draft);
      onChanged();
    },
    meta: { changes: [...changesOf(editProduct), ...changesOf(setOfferFloor)] },
  });
  return { ...edit, progress };
}
