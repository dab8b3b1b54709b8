import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { changesOf } from "#contract/call-resources.ts";
import { editProduct, type ProductWithContact } from "#contract/products.ts";
import { browserApi } from "#web/api/api.ts";
import { useMutationOnce } from "#web/api/use-mutation-once.ts";
import { toast } from "#web/ui/toast.ts";
import type { PictureUploads } from "./picture-uploads.ts";
import { type FilledProduct, toRequest } from "./product-form.ts";
import { uploadListingPhoto } from "./upload-listing-photo.ts";

/** Waits for the other pictures, uploads the cover if it is new, then changes the listing. */
export function useEditProduct(
  { _id }: Pick<ProductWithContact, "_id">,
  pictures: PictureUploads,
  onChanged: () => void,
) {
  const queries = useQueryClient();
  const [progress, setProgress] = useState<number | undefined>(0);
  const edit = useMutationOnce({
    mutationFn: async ({ photo, ...product }: FilledProduct) => {
      const others = await pictures.addresses();
      const img = await uploadListingPhoto(queries, photo, setProgress);
      const { facts = null, ...body } = toRequest(product, img);
      const images = [img, ...others];
      await browserApi(editProduct, { params: { id: _id }, body: { ...body, images, facts } });
    },
    onSuccess: (_, { productName }) => {
      toast.success(`Product ${productName} is changed.`);
      onChanged();
    },
    meta: { changes: changesOf(editProduct) },
  });
  return { ...edit, progress };
}
