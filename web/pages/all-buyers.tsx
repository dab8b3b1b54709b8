import { BuyersTable } from "#web/features/members/MembersTable.tsx";
import { requireRole } from "#web/guard.ts";
import { titled } from "#web/meta.ts";
import { PageHeading } from "#web/ui/PageHeading.tsx";
import { Spinner } from "#web/ui/Spinner.tsx";
import type { Route } from "./+types/all-buyers.ts";

export const meta = titled("All Buyers");

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  return await requireRole(request, "admin");
}

export function HydrateFallback() {
  return <Spinner />;
}

export default function AllBuyers() {
  return (
    <>
      <PageHeading title="All Buyers" />
      <BuyersTable />
    </>
  );
}
