import {
  listPayouts,
  listSales,
  listStatementYears,
  readPayoutAccount,
  refreshPayoutAccount,
} from "#contract/payouts.ts";
import { browserApi, listOf, queryOf } from "#web/api/api.ts";
import { browserQueries } from "#web/api/query-client.ts";
import { requireRole } from "#web/auth/guard.ts";
import { PayoutAccount } from "#web/features/payouts/PayoutAccount.tsx";
import { PayoutsTable, SalesTable } from "#web/features/payouts/SalesTable.tsx";
import { Statement } from "#web/features/payouts/Statement.tsx";
import { pageMeta } from "#web/page-meta.ts";
import { PageHeading } from "#web/ui/PageHeading.tsx";
import type { Route } from "./+types/payouts.ts";

export const meta = pageMeta("Payouts");

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  await requireRole(request, "seller");
  const { searchParams } = new URL(request.url);
  const isBack = searchParams.has("connected");
  // A seller can return from the card provider without finishing, so the account is refreshed. If
  // the refresh fails, the page polls and shows the last known status.
  if (isBack) await browserApi(refreshPayoutAccount, {}).catch(() => {});
  // Content that arrives later would shift the page.
  await Promise.all([
    browserQueries.prefetchQuery(queryOf(readPayoutAccount, {})),
    browserQueries.prefetchQuery(queryOf(listPayouts, {})),
    browserQueries.prefetchQuery(queryOf(listStatementYears, {})),
    browserQueries.prefetchInfiniteQuery(listOf(listSales, {})),
  ]);
  return { isBack, isExpired: searchParams.has("connect") };
}

export default function Payouts({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <PageHeading title="Payouts" />
      <PayoutAccount {...loaderData} />
      <PayoutsTable />
      <section aria-labelledby="your-sales">
        <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
          <h2 id="your-sales" className="text-heading">
            Your sales
          </h2>
          <Statement />
        </div>
        <SalesTable />
      </section>
    </>
  );
}
