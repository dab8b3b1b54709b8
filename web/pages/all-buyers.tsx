import { memberFilter } from "#contract/members.ts";
import { requireRole } from "#web/auth/guard.ts";
import { BuyersTable } from "#web/features/members/MembersTable.tsx";
import { pageMeta } from "#web/meta.ts";
import { buyersPath } from "#web/paths.ts";
import { PageHeading } from "#web/ui/PageHeading.tsx";
import { SearchForm } from "#web/ui/SearchForm.tsx";
import { Spinner } from "#web/ui/Spinner.tsx";
import type { Route } from "./+types/all-buyers.ts";

export const meta = pageMeta("All Buyers");

/** The search is kept in the URL; an invalid one is ignored. */
export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  await requireRole(request, "admin");
  const asked = Object.fromEntries(new URL(request.url).searchParams);
  return { search: memberFilter.safeParse(asked).data?.search || undefined };
}

export function HydrateFallback() {
  return <Spinner />;
}

export default function AllBuyers({ loaderData: { search } }: Route.ComponentProps) {
  return (
    <>
      <PageHeading title="All Buyers" />
      <SearchForm
        key={search}
        schema={memberFilter}
        search={search}
        hint="The start of a name or email."
        pathOf={buyersPath}
      />
      <BuyersTable search={search} />
    </>
  );
}
