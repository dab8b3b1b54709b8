import { useZodForm } from "#web/ui/use-zod-form.ts";
import { ListingForm } from "./ListingForm.tsx";
import { ProductSteps } from "./ProductSteps.tsx";
import {
  type FilledProduct,
  type ProductForm,
  productDraft,
  productWithPhotoForm,
} from "./product-form.ts";
import { useProductStep } from "./product-steps.ts";
import { type Seller, useAddProduct } from "./use-add-product.ts";
import { usePictureUploads } from "./use-picture-uploads.ts";

type AddProductFormProps = {
  seller: Seller;
  /** The draft's photo, restored after a reload. */
  draftPhoto: File | undefined;
  onAdded: () => void;
};

/** The Add Product form (specification 2 and 5), in steps or on one page. */
export function AddProductForm({ seller, draftPhoto, onAdded }: AddProductFormProps) {
  const empty = {
    category: "",
    ports: [],
    pictures: [],
    ...(draftPhoto && { photo: { file: draftPhoto, area: null } }),
  };
  const form = useZodForm<ProductForm, FilledProduct>(productWithPhotoForm, empty, productDraft);
  const pictures = usePictureUploads(form);
  const { step, goTo } = useProductStep();
  return (
    <>
      <ProductSteps control={form.control} step={step} />
      <ListingForm
        form={form}
        pictures={pictures}
        save={useAddProduct(seller, pictures, onAdded)}
        button="Add Product"
        draft={productDraft.name}
        sellerName={seller.name}
        step={step}
        goTo={goTo}
      />
    </>
  );
}
