import { readOwnProduct } from "#contract/own-product.ts";
import { browserApi } from "#web/api/api.ts";
import { requireRole, throwIfNotFound } from "#web/auth/guard.ts";
import { EditProductForm } from "#web/features/products/listing-form/EditProductForm.tsx";
import { editDraft } from "#web/features/products/listing-form/product-form.ts";
import { pageMeta } from "#web/page-meta.ts";
import { readDraftFile } from "#web/ui/drafts.ts";
import { PageHeading } from "#web/ui/PageHeading.tsx";
import type { Route } from "./+types/edit-product.ts";

export const meta = pageMeta("Edit Product");

export async function clientLoader({ request, params: { id } }: Route.ClientLoaderArgs) {
  await requireRole(request, "seller");
  const { body } = await browserApi(readOwnProduct, { params: { id } }).catch((error: unknown) => {
    throwIfNotFound(error);
    throw error;
  });
  return { listing: body, draftPhoto: await readDraftFile(editDraft(id).name) };
}

export default function EditProduct({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <PageHeading title="Edit Product" />
      <EditProductForm {...loaderData} />
    </>
  );
}
