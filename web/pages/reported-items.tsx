import { requireRole } from "#web/auth/guard.ts";
import { QueueLinks } from "#web/features/needs-you/QueueLinks.tsx";
import { ReportedItemsTable } from "#web/features/reports/ReportedItemsTable.tsx";
import { pageMeta } from "#web/page-meta.ts";
import { PageHeading } from "#web/ui/PageHeading.tsx";
import type { Route } from "./+types/reported-items.ts";

export const meta = pageMeta("Reported Items");

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  return await requireRole(request, "moderation");
}

export { Spinner as HydrateFallback } from "#web/ui/Spinner.tsx";

export default function ReportedItems() {
  return (
    <>
      <PageHeading title="Reported Items">
        <QueueLinks to={["messages", "reviews"]} />
      </PageHeading>
      <ReportedItemsTable />
    </>
  );
}
