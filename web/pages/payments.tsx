import { paymentFilter } from "#contract/payments.ts";
import { ledgerPath } from "#web/admin-paths.ts";
import { PaymentsTable } from "#web/features/payments/PaymentsTable.tsx";
import { pageMeta } from "#web/page-meta.ts";
import { TextLink } from "#web/ui/Link.tsx";
import type { Route } from "./+types/payments.ts";
import { adminSearchLoader, SearchPage } from "./admin-search.tsx";

export const meta = pageMeta("Payments");

export const clientLoader = adminSearchLoader(paymentFilter, "finance");

export default function Payments({ loaderData: { search } }: Route.ComponentProps) {
  return (
    <SearchPage
      title="Payments"
      schema={paymentFilter}
      search={search}
      hint="Search by the start of a buyer's email, or by transaction ID."
    >
      <p className="mb-4">
        <TextLink to={ledgerPath()}>Ledger</TextLink>
      </p>
      <PaymentsTable search={search} />
    </SearchPage>
  );
}
