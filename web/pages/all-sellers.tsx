import { memberFilter } from "#contract/members.ts";
import { MembersTable } from "#web/features/members/MembersTable.tsx";
import { VerificationGrounds } from "#web/features/members/VerificationGrounds.tsx";
import { pageMeta } from "#web/page-meta.ts";
import type { Route } from "./+types/all-sellers.ts";
import { adminSearchLoader, SearchPage } from "./admin-search.tsx";

export const meta = pageMeta("All Sellers");

export const clientLoader = adminSearchLoader(memberFilter);

export default function AllSellers({ loaderData: { search } }: Route.ComponentProps) {
  return (
    <SearchPage
      title="All Sellers"
      schema={memberFilter}
      search={search}
      hint="Search by name or email."
    >
      <MembersTable
        kind="Seller"
        search={search}
        grounds={(seller) => <VerificationGrounds seller={seller} />}
      />
    </SearchPage>
  );
}
