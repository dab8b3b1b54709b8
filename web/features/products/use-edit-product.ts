import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { changesOf } from "#contract/call-resources.ts";
import { editProduct } from "#contract/products.ts";
import { browserApi, useMutationOnce } from "#web/api/api.ts";
import { clearDraft } from "#web/ui/drafts.ts";
import { toast } from "#web/ui/toast.ts";
import type { PictureUploads } from "./picture-uploads.ts";
import { type FilledProduct, toRequest } from "./product-form.ts";
import { uploadListingPhoto } from "./upload-listing-photo.ts";

/** `draft`: the name of the draft to delete once the changes are saved. */
type Edited = { id: string; draft: string };

/** Waits for the other pictures, uploads the cover if it is new, then changes the listing. */
export function useEditProduct(
  { id, draft }: Edited,
  pictures: PictureUploads,
  onChanged: () => void,
) {
  const queries = useQueryClient();
  const [progress, setProgress] = useState<number | undefined>(0);
  const edit = useMutationOnce({
    mutationFn: async ({ photo, floor, ...product }: FilledProduct) => {
      const others = await pictures.addresses();
      const img = await uploadListingPhoto(queries, photo, setProgress);
      const { facts = null, ...body } = toRequest(product, img);
      const images = [img, ...others];
      await browserApi(editProduct, { params: { id }, body: { ...body, images, facts, floor } });
    },
    onSuccess: (_, { productName }) => {
      toast.success(`Product ${productName} is changed.`);
      clearDraft(draft);
      onChanged();
    },
    meta: { changes: changesOf(editProduct) },
  });
  return { ...edit, progress };
}
