import { useNavigate } from "react-router";
import { readOwnProduct } from "#contract/own-product.ts";
import { browserApi } from "#web/api/api.ts";
import { requireRole, throwIfNotFound } from "#web/auth/guard.ts";
import { EditProductForm } from "#web/features/products/EditProductForm.tsx";
import { editDraft, reportedBy } from "#web/features/products/product-form.ts";
import { pageMeta } from "#web/page-meta.ts";
import { paths } from "#web/paths.ts";
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
  const { product, facts, images, floor } = body;
  const category = {
    _id: product.product_categoryId,
    product_category: body.category,
    brandImg: "",
  };
  const reported = reportedBy(body);
  const draftPhoto = await readDraftFile(editDraft(id).name);
  return { product, category, facts, images, floor, reported, draftPhoto };
}

export { Spinner as HydrateFallback } from "#web/ui/Spinner.tsx";

export default function EditProduct({ loaderData }: Route.ComponentProps) {
  const navigate = useNavigate();
  return (
    <>
      <PageHeading title="Edit Product" />
      <EditProductForm {...loaderData} onChanged={() => void navigate(paths.myProducts())} />
    </>
  );
}
