import { useState } from "react";
import { changesOf } from "#contract/call-resources.ts";
import { editProduct } from "#contract/products.ts";
import { browserApi } from "#web/api/api.ts";
import { Button } from "#web/ui/Button.tsx";
import { clearDraft, isSame, readDraft } from "#web/ui/drafts.ts";
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
};

export function EditProductForm({ listing, draftPhoto }: EditProductFormProps) {
  const { product } = listing;
  const [draft] = useState(() => ({ ...editDraft(product._id), saved: toForm(listing) }));
  const [isKept] = useState(
    () => draftPhoto !== undefined || Object.keys(readDraft<ProductForm>(draft)).length > 0,
  );
  const [stored] = useState(() => {
    const { data } = productWithPhotoForm.safeParse(draft.saved);
    return data ? toEdit(data, listing.images) : {};
  });
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
          const body = changesTo(stored, toEdit(changed, images));
          if (Object.keys(body).length === 0) return;
          await browserApi(editProduct, { params: { id: product._id }, body });
        }}
        changes={changesOf(editProduct)}
        saved={(name) => `Product ${name} is changed.`}
        button="Save Changes"
        draft={draft.name}
        sellerName={product.seller_name}
        listing={listing}
      />
    </>
  );
}

type Edit = ReturnType<typeof toEdit>;

function toEdit(filled: FilledProduct, images: string[]) {
  const { facts = null, machineFacts, ...body } = toRequest(filled);
  return { ...body, images, floor: filled.floor, factsAndOrigins: { facts, machineFacts } };
}

/** Leaves out unchanged fields, so that an old tab doesn't undo later changes. */
function changesTo(stored: Partial<Edit>, edit: Edit) {
  const changed = Object.entries(edit).filter(
    ([name, value]) => !isSame(value, stored[name as keyof Edit]),
  );
  const { factsAndOrigins, ...body }: Partial<Edit> = Object.fromEntries(changed);
  return { ...body, ...factsAndOrigins };
}
