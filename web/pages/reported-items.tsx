import { roleLoader } from "#web/auth/guard.ts";
import { QueueLinks } from "#web/features/needs-you/QueueLinks.tsx";
import { ReportedItemsTable } from "#web/features/reports/ReportedItemsTable.tsx";
import { pageMeta } from "#web/page-meta.ts";
import { PageHeading } from "#web/ui/PageHeading.tsx";

export const meta = pageMeta("Reported Items");

export const clientLoader = roleLoader("moderation");

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
