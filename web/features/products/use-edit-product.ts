import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { changesOf } from "#contract/call-resources.ts";
import { editProduct, type ProductWithContact } from "#contract/products.ts";
import { browserApi } from "#web/api/api.ts";
import { useMutationOnce } from "#web/api/use-mutation-once.ts";
import { toast } from "#web/ui/toast.ts";
import { type ChangedProduct, toRequest } from "./product-form.ts";
import { uploadListingPhoto } from "./upload-listing-photo.ts";

/** Uploads the photo if there is a new one, then changes the listing. */
export function useEditProduct({ _id, img }: ProductWithContact, onChanged: () => void) {
  const queries = useQueryClient();
  const [progress, setProgress] = useState<number | undefined>(0);
  const edit = useMutationOnce({
    mutationFn: async ({ photo, ...product }: ChangedProduct) => {
      const shown = photo ? await uploadListingPhoto(queries, photo, setProgress) : img;
      const { facts = null, ...body } = toRequest(product, shown);
      await browserApi(editProduct, { params: { id: _id }, body: { ...body, facts } });
    },
    onSuccess: (_, { productName }) => {
      toast.success(`Product ${productName} is changed.`);
      onChanged();
    },
    meta: { changes: changesOf(editProduct) },
  });
  return { ...edit, progress };
}
