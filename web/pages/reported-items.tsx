import { Link } from "react-router";
import { invitationsToCheckPath, listingsToCheckPath } from "#web/admin-paths.ts";
import { requireRole } from "#web/auth/guard.ts";
import { ReportedItemsTable } from "#web/features/reports/ReportedItemsTable.tsx";
import { pageMeta } from "#web/page-meta.ts";
import { paths } from "#web/paths.ts";
import { PageHeading } from "#web/ui/PageHeading.tsx";
import { Spinner } from "#web/ui/Spinner.tsx";
import type { Route } from "./+types/reported-items.ts";

export const meta = pageMeta("Reported Items");

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  return await requireRole(request, "admin");
}

export function HydrateFallback() {
  return <Spinner />;
}

export default function ReportedItems() {
  return (
    <>
      <PageHeading title="Reported Items" />
      <p className="mb-4">
        <Link to={listingsToCheckPath()} className="link">
          Listings to check
        </Link>
        {", "}
        <Link to={invitationsToCheckPath()} className="link">
          Invitations to check
        </Link>
        {", "}
        <Link to={paths.messages()} className="link">
          Reported messages
        </Link>
        {", "}
        <Link to={paths.reviews()} className="link">
          Reported reviews
        </Link>
      </p>
      <ReportedItemsTable />
    </>
  );
}
