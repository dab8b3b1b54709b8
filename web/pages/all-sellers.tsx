import { SellersTable } from "#web/features/members/MembersTable.tsx";
import { requireRole } from "#web/guard.ts";
import { titled } from "#web/meta.ts";
import { PageHeading } from "#web/ui/PageHeading.tsx";
import { Spinner } from "#web/ui/Spinner.tsx";
import type { Route } from "./+types/all-sellers.ts";

export const meta = titled("All Sellers");

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  return await requireRole(request, "admin");
}

export function HydrateFallback() {
  return <Spinner />;
}

export default function AllSellers() {
  return (
    <>
      <PageHeading title="All Sellers" />
      <SellersTable />
    </>
  );
}
