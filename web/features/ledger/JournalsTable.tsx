import { useQuery } from "@tanstack/react-query";
import { type Journal, type JournalKind, listJournals } from "#contract/ledger.ts";
import { queryOf } from "#web/api/api.ts";
import type { Column } from "#web/ui/DataTable.tsx";
import { DateTime } from "#web/ui/DateTime.tsx";
import { QueryTable } from "#web/ui/QueryTable.tsx";
import { accountNames, formatBalance } from "./account-names.ts";

const happened: Record<JournalKind, string> = {
  charge: "Payment",
  refund: "Refund to the card",
  refund_decided: "A refund was decided",
  refund_failed: "The bank sent the refund back",
  refund_sent: "Refund sent another way",
  dispute_withdrawn: "Dispute: the bank took the money",
  dispute_lost: "Dispute lost",
  dispute_reversed: "Lost dispute reversed",
  dispute_reinstated: "Dispute won: the money is back",
  loss_covered: "Loss covered by the deal",
  transfer: "Paid to the seller",
  transfer_reversal: "Payment to the seller taken back",
  stripe_fee: "Card provider's fee",
  payout: "Payout to our bank account",
  topup: "Added to the card provider's balance",
  reserve: "Card provider's reserve",
  correction: "Corrected by hand",
  release: "Now owed to the seller",
  release_undone: "Needed for the buyer after all",
  set_off: "Debt of a seller settled from another sale",
  discount: "Discount of an invited friend",
  discount_returned: "Discount taken back",
  credit_earned: "Credit earned by an invitation",
  credit_spent: "Credit spent",
  credit_returned: "Credit given back",
  credit_expired: "Credit expired",
};

const columns: Column<Journal>[] = [
  { header: "When", cell: ({ at }) => <DateTime at={at} /> },
  {
    header: "What happened",
    as: "title",
    cell: ({ kind, reference }) => (
      <>
        <p className="font-medium">{happened[kind]}</p>
        {reference !== null && <p className="mt-1 break-all text-muted text-sm">{reference}</p>}
      </>
    ),
  },
  {
    header: "From and to",
    cell: ({ entries }) =>
      entries.map(({ account, amount }) => (
        <p key={account} className="flex justify-between gap-4">
          <span>{accountNames[account].name}</span>
          <span className="tabular-nums">{formatBalance(amount)}</span>
        </p>
      )),
  },
];

/** All of a payment's journals, oldest first. */
export function JournalsTable({ search }: { search: string }) {
  const journals = useQuery(queryOf(listJournals, { query: { search } }));
  return (
    <QueryTable
      query={journals}
      caption="What happened"
      columns={columns}
      emptyTitle="Nothing found"
      empty={`The ledger has nothing about “${search}”.`}
    />
  );
}
