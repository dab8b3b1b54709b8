import { Link } from "react-router";
import { requireRole } from "#web/auth/guard.ts";
import { MyProductsTable } from "#web/features/products/MyProductsTable.tsx";
import { pageMeta } from "#web/page-meta.ts";
import { paths } from "#web/paths.ts";
import { PageHeading } from "#web/ui/PageHeading.tsx";
import type { Route } from "./+types/my-products.ts";

export const meta = pageMeta("My Products");

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  return (await requireRole(request, "seller")).user;
}

export { Spinner as HydrateFallback } from "#web/ui/Spinner.tsx";

export default function MyProducts({ loaderData: { email } }: Route.ComponentProps) {
  return (
    <>
      <PageHeading title="My Products">
        <Link to={paths.offers()} className="link">
          Your offers
        </Link>
      </PageHeading>
      <MyProductsTable email={email} />
    </>
  );
}
