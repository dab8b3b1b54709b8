import { readNeedsYou } from "#contract/needs-you.ts";
import { queryOf } from "#web/api/api.ts";
import { browserQueries } from "#web/api/query-client.ts";
import { requireMember, requireRole } from "#web/auth/guard.ts";
import { AdminOverview, SellerOverview } from "#web/features/overview/Overview.tsx";
import { pageMeta } from "#web/page-meta.ts";
import { PageHeading } from "#web/ui/PageHeading.tsx";
import type { Route } from "./+types/overview.ts";

export const meta = pageMeta("Overview");

/** Fetches an admin's tasks before the page shows, so that the figures below don't shift. */
export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const { isAdmin } = await requireMember(request);
  const session = await requireRole(request, isAdmin ? "admin" : "seller");
  if (isAdmin) await browserQueries.prefetchQuery(queryOf(readNeedsYou, {}));
  return session;
}

export default function Overview({ loaderData: { isAdmin } }: Route.ComponentProps) {
  return (
    <>
      <PageHeading title="Overview">
        <p className="text-muted">The last twelve weeks, Monday to Sunday.</p>
      </PageHeading>
      {isAdmin ? <AdminOverview /> : <SellerOverview />}
    </>
  );
}
