import { useState } from "react";
import type { Category } from "#contract/categories.ts";
import type { Facts } from "#contract/facts.ts";
import type { OwnProduct } from "#contract/products.ts";
import { Button } from "#web/ui/Button.tsx";
import { clearDraft, readDraft } from "#web/ui/drafts.ts";
import { useZodForm } from "#web/ui/use-zod-form.ts";
import { ListingForm } from "./ListingForm.tsx";
import {
  editDraft,
  type FilledProduct,
  type ProductForm,
  productWithPhotoForm,
  toForm,
} from "./product-form.ts";
import { useEditProduct } from "./use-edit-product.ts";
import { usePictureUploads } from "./use-picture-uploads.ts";

type EditProductFormProps = {
  product: OwnProduct;
  category: Category;
  facts: Facts;
  /** The URLs of the listing's photos, cover first. */
  images: string[];
  /** The facts that the machine reported, as JSON (`reportedBy`). */
  reported: string;
  /** The price below which offers are declined, if any. */
  floor: number | null;
  /** The draft's photo, restored after a reload. */
  draftPhoto: File | undefined;
  onChanged: () => void;
};

/** The Add Product form, for an existing listing. */
export function EditProductForm({ product, draftPhoto, onChanged, ...rest }: EditProductFormProps) {
  const { category, facts, images, reported, floor } = rest;
  const [draft] = useState(() => {
    const texts = { reported, floor: floor === null ? "" : String(floor) };
    return { ...editDraft(product._id), saved: { ...toForm(product, facts, images), ...texts } };
  });
  const [isKept] = useState(
    () => draftPhoto !== undefined || Object.keys(readDraft<ProductForm>(draft)).length > 0,
  );
  const form = useZodForm<ProductForm, FilledProduct>(
    productWithPhotoForm,
    { ...draft.saved, ...(draftPhoto && { photo: { file: draftPhoto, area: null } }) },
    draft,
  );
  const pictures = usePictureUploads(form);
  const discard = () => {
    clearDraft(draft.name);
    location.reload();
  };
  return (
    <>
      {isKept && (
        <p className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2">
          You have unsaved changes from earlier.
          <Button look="plain" size="small" onClick={discard}>
            Discard changes
          </Button>
        </p>
      )}
      <ListingForm
        form={form}
        pictures={pictures}
        save={useEditProduct({ id: product._id, draft: draft.name }, pictures, onChanged)}
        button="Save Changes"
        draft={draft.name}
        sellerName={product.seller_name}
        category={category}
        serialEnd={product.serial_end}
        hasFloor
      />
    </>
  );
}
