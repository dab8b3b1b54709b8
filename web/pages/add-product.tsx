import { requireRole } from "#web/auth/guard.ts";
import { AddProductForm } from "#web/features/products/listing-form/AddProductForm.tsx";
import { productDraft } from "#web/features/products/listing-form/product-form.ts";
import { pageMeta } from "#web/page-meta.ts";
import { readDraftFile } from "#web/ui/drafts.ts";
import { Notice } from "#web/ui/Notice.tsx";
import { PageHeading } from "#web/ui/PageHeading.tsx";
import { useShop } from "#web/ui/use-shop.ts";
import type { Route } from "./+types/add-product.ts";

export const meta = pageMeta("Add Product");

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const { user, verify } = await requireRole(request, "seller");
  const seller = { name: user.displayName, email: user.email, verify };
  return { seller, draftPhoto: await readDraftFile(productDraft.name) };
}

export default function AddProduct({ loaderData }: Route.ComponentProps) {
  const { verifiedSellersOnly, operator } = useShop();
  return (
    <>
      <PageHeading title="Add Product" />
      {verifiedSellersOnly && !loaderData.seller.verify ? (
        <Notice title="Only verified sellers can list laptops here">
          <p>
            Write to{" "}
            {operator?.email ? (
              <a href={`mailto:${operator.email}`} className="link">
                {operator.email}
              </a>
            ) : (
              "us"
            )}
            , and we'll tell you how to become one.
          </p>
        </Notice>
      ) : (
        <AddProductForm {...loaderData} />
      )}
    </>
  );
}
