import { requireMember } from "#web/auth/guard.ts";
import { OrdersTable } from "#web/features/bookings/OrdersTable.tsx";
import { pageMeta } from "#web/page-meta.ts";
import { paths } from "#web/paths.ts";
import { TextLink } from "#web/ui/Link.tsx";
import { PageHeading } from "#web/ui/PageHeading.tsx";
import type { Route } from "./+types/my-orders.ts";

export const meta = pageMeta("My Orders");

export const clientLoader = ({ request }: Route.ClientLoaderArgs) => requireMember(request);

export default function MyOrders({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <PageHeading title="My Orders">
        <TextLink to={paths.offers()}>Your offers</TextLink>
      </PageHeading>
      <OrdersTable session={loaderData} />
    </>
  );
}
