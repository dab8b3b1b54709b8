import { requireRole } from "#web/auth/guard.ts";
import { QueueLinks } from "#web/features/needs-you/QueueLinks.tsx";
import { ReportedItemsTable } from "#web/features/reports/ReportedItemsTable.tsx";
import { pageMeta } from "#web/page-meta.ts";
import { PageHeading } from "#web/ui/PageHeading.tsx";
import { Spinner } from "#web/ui/Spinner.tsx";
import type { Route } from "./+types/reported-items.ts";

export const meta = pageMeta("Reported Items");

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  return await requireRole(request, "moderation");
}

export function HydrateFallback() {
  return <Spinner />;
}

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
