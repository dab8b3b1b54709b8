import { roleLoader } from "#web/auth/guard.ts";
import { MyProductsTable } from "#web/features/products/MyProductsTable.tsx";
import { pageMeta } from "#web/page-meta.ts";
import { paths } from "#web/paths.ts";
import { TextLink } from "#web/ui/Link.tsx";
import { PageHeading } from "#web/ui/PageHeading.tsx";
import type { Route } from "./+types/my-products.ts";

export const meta = pageMeta("My Products");

export const clientLoader = roleLoader("seller");

export default function MyProducts({ loaderData: { user } }: Route.ComponentProps) {
  return (
    <>
      <PageHeading title="My Products">
        <TextLink to={paths.offers()}>Your offers</TextLink>
      </PageHeading>
      <MyProductsTable email={user.email} />
    </>
  );
}
