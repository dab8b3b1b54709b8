import { data, useNavigate } from "react-router";
import { readProduct } from "#contract/laptops.ts";
import { readOfferFloor } from "#contract/offers.ts";
import { listSellerProducts, type OwnProduct } from "#contract/products.ts";
import { browserApi } from "#web/api/api.ts";
import { requireRole, throwIfNotFound } from "#web/auth/guard.ts";
import { EditProductForm } from "#web/features/products/EditProductForm.tsx";
import { editDraft } from "#web/features/products/product-form.ts";
import { reportedBy } from "#web/features/products/reported-facts.ts";
import { pageMeta } from "#web/page-meta.ts";
import { paths } from "#web/paths.ts";
import { readDraftFile } from "#web/ui/drafts.ts";
import { PageHeading } from "#web/ui/PageHeading.tsx";
import { Spinner } from "#web/ui/Spinner.tsx";
import type { Route } from "./+types/edit-product.ts";

export const meta = pageMeta("Edit Product");

export async function clientLoader({ request, params: { id } }: Route.ClientLoaderArgs) {
  const { user } = await requireRole(request, "seller");
  const product = await findOwn(user.email, id);
  if (!product) throw data(null, { status: 404 });
  const { body } = await browserApi(readProduct, { params: { id } }).catch((error: unknown) => {
    throwIfNotFound(error);
    throw error;
  });
  const { floor } = (await browserApi(readOfferFloor, { params: { id } })).body;
  const category = { _id: body.product_categoryId, product_category: body.category, brandImg: "" };
  const kept = { product, category, floor, draftPhoto: await readDraftFile(editDraft(id).name) };
  if (body.withdrawn) return { ...kept, facts: {}, images: [product.img], reported: "" };
  return { ...kept, facts: body.facts, images: body.images, reported: reportedBy(body) };
}

/** Finds one of the seller's own products, with the phone number that others don't see. */
async function findOwn(email: string, id: string): Promise<OwnProduct | undefined> {
  let cursor: string | undefined;
  do {
    const query = cursor === undefined ? {} : { cursor };
    const page = await browserApi(listSellerProducts, { params: { email }, query });
    const found = page.body.find(({ _id }) => _id === id);
    if (found) return found;
    cursor = page.next;
  } while (cursor !== undefined);
  return undefined;
}

export function HydrateFallback() {
  return <Spinner />;
}

export default function EditProduct({ loaderData }: Route.ComponentProps) {
  const navigate = useNavigate();
  return (
    <>
      <PageHeading title="Edit Product" />
      <EditProductForm {...loaderData} onChanged={() => void navigate(paths.myProducts())} />
    </>
  );
}
