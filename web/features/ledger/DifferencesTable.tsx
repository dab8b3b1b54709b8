import { Link } from "react-router";
import type { LedgerDifference } from "#contract/ledger.ts";
import { ledgerPath } from "#web/admin-paths.ts";
import { type Column, DataTable } from "#web/ui/DataTable.tsx";
import { DateTime } from "#web/ui/DateTime.tsx";
import { formatBalance } from "./account-names.ts";
import { CorrectDifference } from "./CorrectDifference.tsx";

const columns: Column<LedgerDifference>[] = [
  {
    header: "Transaction",
    as: "title",
    cell: ({ reference }) => (
      <Link to={ledgerPath(reference)} className="link break-all">
        {reference}
      </Link>
    ),
  },
  {
    header: "At the card provider",
    as: "amount",
    cell: ({ atProvider }) => formatBalance(atProvider),
  },
  { header: "In the ledger", as: "amount", cell: ({ inLedger }) => formatBalance(inLedger) },
  { header: "Found", cell: ({ foundAt }) => <DateTime at={foundAt} /> },
  { header: "What to do", cell: toDoAbout },
  { header: "Action", cell: (difference) => <CorrectDifference difference={difference} /> },
];

/** Transactions whose amount after fees differs between the card provider and the ledger. */
export function DifferencesTable({ differences }: { differences: LedgerDifference[] }) {
  return (
    <DataTable
      caption="Differences"
      columns={columns}
      rows={differences}
      keyOf={({ reference }) => reference}
    />
  );
}

function toDoAbout({ atProvider, inLedger }: LedgerDifference): string {
  if (atProvider === 0)
    return "The card provider has not moved this money. Press it to see what we recorded, and pay nothing for this deal until it is explained.";
  if (inLedger === 0 || Math.sign(inLedger) !== Math.sign(atProvider))
    return "The ledger knows nothing of this. Look it up in the card provider's dashboard, and refund a payment or reverse a transfer that belongs to no sale of this shop. Then correct the ledger.";
  return "The amounts differ. Press it, and compare what we recorded with the card provider's dashboard. Then correct the ledger.";
}
