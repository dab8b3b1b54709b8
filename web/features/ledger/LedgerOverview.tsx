import { useQuery } from "@tanstack/react-query";
import { type Ledger, readLedger } from "#contract/ledger.ts";
import { queryOf } from "#web/api/api.ts";
import { type Column, DataTable, TableSkeleton } from "#web/ui/DataTable.tsx";
import { formatDateTime } from "#web/ui/format.ts";
import { QueryState } from "#web/ui/QueryState.tsx";
import { accountNames, formatBalance } from "./account-names.ts";
import { DifferencesTable } from "./DifferencesTable.tsx";

type Balance = Ledger["balances"][number];

const columns: Column<Balance>[] = [
  {
    header: "Account",
    as: "title",
    cell: ({ account }) => (
      <>
        <p className="font-medium">{accountNames[account].name}</p>
        <p className="text-muted text-sm">{accountNames[account].about}</p>
      </>
    ),
  },
  { header: "Balance", as: "amount", cell: ({ balance }) => formatBalance(balance) },
];

export function LedgerOverview() {
  const ledger = useQuery(queryOf(readLedger, {}));
  return (
    <QueryState query={ledger} skeleton={<TableSkeleton columns={columns} rows={9} />}>
      {({ balances, reconciliation }) => (
        <>
          <h2 className="mb-2 text-heading">Last comparison</h2>
          <Comparison reconciliation={reconciliation} />
          <h2 className="mt-8 mb-2 text-heading">Balances</h2>
          <p className="mb-4 max-w-prose text-muted">
            Where every cent is. Positive amounts are ours or owed to us. Negative amounts are owed
            to others, or our earnings. Together they make zero.
          </p>
          <DataTable
            caption="Balances"
            columns={columns}
            rows={balances}
            keyOf={({ account }) => account}
          />
        </>
      )}
    </QueryState>
  );
}

function Comparison({ reconciliation }: Pick<Ledger, "reconciliation">) {
  if (reconciliation === null)
    return (
      <p>
        The ledger is compared with the card provider every night. The first comparison has not run
        yet.
      </p>
    );
  const { at, atProvider, inLedger, differences } = reconciliation;
  const when = formatDateTime(at);
  if (differences.length > 0)
    return (
      <>
        <p role="alert" className="mb-4 font-medium text-error">
          The ledger and the card provider differed on {when}. Look into each row.
        </p>
        <DifferencesTable differences={differences} />
      </>
    );
  if (atProvider !== inLedger)
    return (
      <p className="max-w-prose">
        No payment differed on {when}, but the card provider's balance was{" "}
        {formatBalance(atProvider)} and the ledger's {formatBalance(inLedger)}. A payment during the
        comparison explains that. If tomorrow's differs too, look at the balance at the card
        provider.
      </p>
    );
  return (
    <p className="font-medium text-success">
      The ledger and the card provider agreed to the cent on {when}: {formatBalance(inLedger)}.
    </p>
  );
}
