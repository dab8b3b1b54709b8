import { memberFilter } from "#contract/members.ts";
import { MembersTable } from "#web/features/members/MembersTable.tsx";
import { pageMeta } from "#web/page-meta.ts";
import type { Route } from "./+types/all-buyers.ts";
import { adminSearchLoader, SearchPage } from "./admin-search.tsx";

export const meta = pageMeta("All Buyers");

export const clientLoader = adminSearchLoader(memberFilter);

export default function AllBuyers({ loaderData: { search } }: Route.ComponentProps) {
  return (
    <SearchPage
      title="All Buyers"
      schema={memberFilter}
      search={search}
      hint="Search by name or email."
    >
      <MembersTable kind="Buyer" search={search} />
    </SearchPage>
  );
}
