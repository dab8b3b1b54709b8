import { lazy, Suspense } from "react";
import { isBuyer } from "#contract/roles.ts";
import { requireMember } from "#web/auth/guard.ts";
import { OrdersTable } from "#web/features/bookings/OrdersTable.tsx";
import { pageMeta } from "#web/page-meta.ts";
import { PageHeading } from "#web/ui/PageHeading.tsx";
import { Spinner } from "#web/ui/Spinner.tsx";
import type { Route } from "./+types/my-orders.ts";

/** Its code comes after the page. */
const OpenOffers = lazy(() => import("#web/features/offers/OpenOffers.tsx"));

export const meta = pageMeta("My Orders");

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  return await requireMember(request);
}

export function HydrateFallback() {
  return <Spinner />;
}

export default function MyOrders({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <PageHeading title="My Orders" />
      <Suspense>
        <OpenOffers />
      </Suspense>
      <OrdersTable email={loaderData.user.email} mayBook={isBuyer(loaderData)} />
    </>
  );
}
