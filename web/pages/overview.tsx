import { requireMember, requireRole } from "#web/auth/guard.ts";
import { AdminToDo } from "#web/features/overview/AdminToDo.tsx";
import { AdminOverview, SellerOverview } from "#web/features/overview/Overview.tsx";
import { pageMeta } from "#web/page-meta.ts";
import { PageHeading } from "#web/ui/PageHeading.tsx";
import { Spinner } from "#web/ui/Spinner.tsx";
import type { Route } from "./+types/overview.ts";

export const meta = pageMeta("Overview");

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const { isAdmin } = await requireMember(request);
  return await requireRole(request, isAdmin ? "admin" : "seller");
}

export function HydrateFallback() {
  return <Spinner />;
}

export default function Overview({ loaderData: { isAdmin } }: Route.ComponentProps) {
  return (
    <>
      <PageHeading title="Overview">
        <p className="text-muted">The last twelve weeks, Monday to Sunday.</p>
      </PageHeading>
      {isAdmin && <AdminToDo />}
      {isAdmin ? <AdminOverview /> : <SellerOverview />}
    </>
  );
}
