import { paymentFilter } from "#contract/payments.ts";
import { requireRole } from "#web/auth/guard.ts";
import { PaymentsTable } from "#web/features/payments/PaymentsTable.tsx";
import { pageMeta } from "#web/meta.ts";
import { paymentsPath } from "#web/paths.ts";
import { PageHeading } from "#web/ui/PageHeading.tsx";
import { SearchForm } from "#web/ui/SearchForm.tsx";
import { Spinner } from "#web/ui/Spinner.tsx";
import type { Route } from "./+types/payments.ts";

export const meta = pageMeta("Payments");

/** The search is kept in the URL; an invalid one is ignored. */
export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  await requireRole(request, "admin");
  const asked = Object.fromEntries(new URL(request.url).searchParams);
  return { search: paymentFilter.safeParse(asked).data?.search || undefined };
}

export function HydrateFallback() {
  return <Spinner />;
}

export default function Payments({ loaderData: { search } }: Route.ComponentProps) {
  return (
    <>
      <PageHeading title="Payments" />
      <SearchForm
        key={search}
        schema={paymentFilter}
        search={search}
        hint="The start of a buyer's email, or a whole transaction ID."
        pathOf={paymentsPath}
      />
      <PaymentsTable search={search} />
    </>
  );
}
