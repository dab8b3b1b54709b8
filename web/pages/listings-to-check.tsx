import { requireRole } from "#web/auth/guard.ts";
import { QueueLinks } from "#web/features/needs-you/QueueLinks.tsx";
import { FlaggedListingsTable } from "#web/features/reports/FlaggedListingsTable.tsx";
import { pageMeta } from "#web/page-meta.ts";
import { PageHeading } from "#web/ui/PageHeading.tsx";
import type { Route } from "./+types/listings-to-check.ts";

export const meta = pageMeta("Listings to check");

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  return await requireRole(request, "moderation");
}

export { Spinner as HydrateFallback } from "#web/ui/Spinner.tsx";

export default function ListingsToCheck() {
  return (
    <>
      <PageHeading title="Listings to check">
        <QueueLinks to={["invitations"]} />
      </PageHeading>
      <FlaggedListingsTable />
    </>
  );
}
