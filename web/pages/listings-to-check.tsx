import { roleLoader } from "#web/auth/guard.ts";
import { QueueLinks } from "#web/features/needs-you/QueueLinks.tsx";
import { FlaggedListingsTable } from "#web/features/reports/FlaggedListingsTable.tsx";
import { pageMeta } from "#web/page-meta.ts";
import { PageHeading } from "#web/ui/PageHeading.tsx";

export const meta = pageMeta("Listings to Check");

export const clientLoader = roleLoader("moderation");

export default function ListingsToCheck() {
  return (
    <>
      <PageHeading title="Listings to Check">
        <QueueLinks to={["invitations"]} />
      </PageHeading>
      <FlaggedListingsTable />
    </>
  );
}
