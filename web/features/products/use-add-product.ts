import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { z } from "zod";
import { changesOf } from "#contract/call-resources.ts";
import { readConfig } from "#contract/config.ts";
import { imageTypes, maxImageBytes, wrongImageType } from "#contract/images.ts";
import { salesStatuses } from "#contract/life-cycle.ts";
import { addProduct, addProductForm, futureYearMessage } from "#contract/products.ts";
import { browserApi, queryOf } from "#web/api/api.ts";
import { uploadPhoto } from "#web/api/upload-photo.ts";
import { useMutationOnce } from "#web/api/use-mutation-once.ts";
import { clearDraft } from "#web/ui/drafts.ts";
import { toast } from "#web/ui/toast.ts";
import { type ChosenPhoto, cropPhoto } from "./crop-photo.ts";

/**
 * The contract's fields and the photo (specification 5, Add Product). A future year is rejected here too,
 * because the server would reject it only after the photo upload.
 */
export const productWithPhotoForm = addProductForm.extend({
  purchaseYear: addProductForm.shape.purchaseYear.refine(
    (year) => year <= new Date().getUTCFullYear(),
    { error: () => futureYearMessage(new Date()) },
  ),
  photo: z
    .custom<ChosenPhoto>((photo) => photo !== undefined, "Photo is Required.")
    .refine(({ file }) => imageTypes.includes(file.type), wrongImageType)
    .refine(({ file }) => file.size <= maxImageBytes, "Choose a photo of up to 10 MB."),
});

/** All fields but the photo, which can't be stored as text. */
export const productDraft = { name: "product", fields: addProductForm.keyof().options };

type NewProduct = z.output<typeof productWithPhotoForm>;

/** Uploads the photo, then adds the product; `progress` is the share sent, 0 to 1, if known. */
export function useAddProduct(seller: Seller, onAdded: () => void) {
  const queries = useQueryClient();
  const [progress, setProgress] = useState<number | undefined>(0);
  // Fixed per form: a retry after a lost answer has to send the same request.
  const [postedAt] = useState(() => new Date().toISOString());
  const add = useMutationOnce({
    mutationFn: async ({ photo, ...product }: NewProduct) => {
      setProgress(0);
      const { imageHost } = await queries.query({
        ...queryOf(readConfig, {}),
        staleTime: "static",
      });
      const address = `${imageHost.url}/1/upload?key=${encodeURIComponent(imageHost.key)}`;
      const img = await uploadPhoto(await cropPhoto(photo), address, setProgress);
      const known = { ...ownFields(seller), postedAt };
      await browserApi(addProduct, { body: { ...toRequest(product, img), ...known } });
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

/** Fields the specification sends although the server sets them (section 7, POST /products). */
function ownFields({ name, email, verify }: Seller) {
  const sales_status = salesStatuses[0];
  return { sellerEmail: email, seller_name: name, sales_status, advertise: false, verify };
}

/** Form fields to wire fields (specification 5 and 7). */
function toRequest(product: Omit<NewProduct, "photo">, img: string) {
  return {
    product_categoryId: product.category,
    product_name: product.productName,
    condition: product.condition,
    resale_price: product.resalePrice,
    original_price: product.originalPrice,
    use_duration: product.duration,
    location: product.location,
    yearOf_purchase: product.purchaseYear,
    mobile_number: product.mobileNumber,
    description: product.productDescription,
    img,
  };
}

/** Wire fields to form fields, for the server's error messages. */
export const formFieldOf: Record<keyof ReturnType<typeof toRequest>, keyof NewProduct> = {
  product_categoryId: "category",
  product_name: "productName",
  condition: "condition",
  resale_price: "resalePrice",
  original_price: "originalPrice",
  use_duration: "duration",
  location: "location",
  yearOf_purchase: "purchaseYear",
  mobile_number: "mobileNumber",
  description: "productDescription",
  img: "photo",
};
