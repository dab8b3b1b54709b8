import { useNavigate } from "react-router";
import { AddProductForm } from "#web/features/products/AddProductForm.tsx";
import { requireRole } from "#web/guard.ts";
import { titled } from "#web/meta.ts";
import { paths } from "#web/paths.ts";
import { PageHeading } from "#web/ui/PageHeading.tsx";
import { Spinner } from "#web/ui/Spinner.tsx";
import type { Route } from "./+types/add-product.ts";

export const meta = titled("Add Product");

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  return (await requireRole(request, "seller")).user;
}

export function HydrateFallback() {
  return <Spinner />;
}

export default function AddProduct({ loaderData: { displayName } }: Route.ComponentProps) {
  const navigate = useNavigate();
  return (
    <>
      <PageHeading title="Add Product" />
      <AddProductForm sellerName={displayName} onAdded={() => void navigate(paths.myProducts())} />
    </>
  );
}
