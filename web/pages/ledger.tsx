import { journalFilter } from "#contract/ledger.ts";
import { JournalsTable, LedgerOverview } from "#web/features/ledger/Ledger.tsx";
import { Breadcrumbs } from "#web/features/site/Breadcrumbs.tsx";
import { pageMeta } from "#web/page-meta.ts";
import { paths } from "#web/paths.ts";
import type { Route } from "./+types/ledger.ts";
import { adminSearchLoader, SearchPage } from "./admin-search.tsx";

export const meta = pageMeta("Ledger");

const schema = journalFilter.partial();

export const clientLoader = adminSearchLoader(schema, "finance");

export default function LedgerPage({ loaderData: { search } }: Route.ComponentProps) {
  return (
    <>
      <Breadcrumbs above={[{ name: "Payments", to: paths.payments() }]} here="Ledger" />
      <SearchPage
        title="Ledger"
        schema={schema}
        search={search}
        hint="The ID of a transaction, refund or dispute shows what became of its money, step by step."
      >
        {search === undefined ? <LedgerOverview /> : <JournalsTable search={search} />}
      </SearchPage>
    </>
  );
}
