import { useState } from "react";
import { changesOf } from "#contract/call-resources.ts";
import { editProduct } from "#contract/products.ts";
import { browserApi } from "#web/api/api.ts";
import { Button } from "#web/ui/Button.tsx";
import { clearDraft, readDraft } from "#web/ui/drafts.ts";
import { useZodForm } from "#web/ui/use-zod-form.ts";
import { ListingForm } from "./ListingForm.tsx";
import {
  editDraft,
  type FilledProduct,
  type ProductForm,
  productWithPhotoForm,
  type StoredListing,
  toForm,
  toRequest,
} from "./product-form.ts";

type EditProductFormProps = {
  listing: StoredListing;
  /** The draft's photo, restored after a reload. */
  draftPhoto: File | undefined;
  onChanged: () => void;
};

export function EditProductForm({ listing, draftPhoto, onChanged }: EditProductFormProps) {
  const { product } = listing;
  const [draft] = useState(() => ({ ...editDraft(product._id), saved: toForm(listing) }));
  const [isKept] = useState(
    () => draftPhoto !== undefined || Object.keys(readDraft<ProductForm>(draft)).length > 0,
  );
  const form = useZodForm<ProductForm, FilledProduct>(
    productWithPhotoForm,
    { ...draft.saved, ...(draftPhoto && { photo: { file: draftPhoto, area: null } }) },
    draft,
  );
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
        send={async (changed, images) => {
          const { facts = null, ...body } = toRequest(changed);
          const [img = ""] = images;
          const { floor } = changed;
          await browserApi(editProduct, {
            params: { id: product._id },
            body: { ...body, img, images, facts, floor },
          });
        }}
        changes={changesOf(editProduct)}
        saved={(name) => `Product ${name} is changed.`}
        onSaved={onChanged}
        button="Save Changes"
        draft={draft.name}
        sellerName={product.seller_name}
        listing={listing}
      />
    </>
  );
}
