import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import {
  correctDifference,
  correctionAccounts,
  correctionForm,
  type Journal,
  type JournalKind,
  type Ledger,
  type LedgerAccount,
  type LedgerDifference,
  listJournals,
  readLedger,
} from "#contract/ledger.ts";
import { formatPrice } from "#contract/price.ts";
import { ledgerPath } from "#web/admin-paths.ts";
import { queryOf } from "#web/api/api.ts";
import { useFormCall } from "#web/api/form-call.tsx";
import { type Column, DataTable, TableSkeleton } from "#web/ui/DataTable.tsx";
import { DateTime } from "#web/ui/DateTime.tsx";
import { Dialog } from "#web/ui/Dialog.tsx";
import { DialogButton } from "#web/ui/DialogButton.tsx";
import { DialogSubmit, Form, FormField } from "#web/ui/Form.tsx";
import { formatDateTime } from "#web/ui/format-dates-and-counts.ts";
import { QueryState } from "#web/ui/QueryState.tsx";
import { QueryTable } from "#web/ui/QueryTable.tsx";
import { useZodForm } from "#web/ui/use-zod-form.ts";

const accountNames: Record<LedgerAccount, { name: string; about: string }> = {
  stripe_clearing: {
    name: "At the card provider",
    about: "Money in our account at the card provider.",
  },
  stripe_reserve: {
    name: "In reserve",
    about: "Ours, but kept back by the card provider.",
  },
  shop_bank: {
    name: "Our bank account",
    about: "Money paid out to it, less what we sent from it.",
  },
  deal_held: {
    name: "Held for buyers",
    about:
      "Paid by buyers for laptops that aren't handed over yet, or that they may still complain about.",
  },
  buyer_payable: {
    name: "Owed to buyers",
    about: "Refunds that are decided, and not sent to the buyer yet.",
  },
  seller_payable: {
    name: "Owed to sellers",
    about: "From sales that are complete, and not sent to the seller yet.",
  },
  seller_receivable: {
    name: "Owed by sellers",
    about:
      "Given back to buyers after the seller had the money. Kept from the seller's next sales.",
  },
  fee_revenue: { name: "Our fees", about: "Our part of the sales." },
  stripe_fees: { name: "Card provider's fees", about: "What the card provider charged us." },
  dispute_reserve: {
    name: "In dispute",
    about: "Taken back by buyers' banks that haven't decided yet.",
  },
  platform_loss: { name: "Losses", about: "Given back to buyers out of our own pocket." },
  credits: { name: "Members' credit", about: "Earned by invitations, and not spent yet." },
  marketing: { name: "Invitations", about: "What discounts and credit have cost us." },
};

type Balance = Ledger["balances"][number];

const balanceColumns: Column<Balance>[] = [
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
    <QueryState query={ledger} skeleton={<TableSkeleton columns={balanceColumns} rows={9} />}>
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
            columns={balanceColumns}
            rows={balances.map((balance) => ({ ...balance, _id: balance.account }))}
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
        <DataTable
          caption="Differences"
          columns={differenceColumns}
          rows={differences.map((difference) => ({ ...difference, _id: difference.reference }))}
        />
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

const differenceColumns: Column<LedgerDifference>[] = [
  {
    header: "Transaction",
    as: "title",
    cell: ({ reference }) => (
      <Link to={ledgerPath(reference)} className="link break-all">
        {reference}
      </Link>
    ),
  },
  { header: "At the card provider", as: "amount", cell: (row) => formatBalance(row.atProvider) },
  { header: "In the ledger", as: "amount", cell: ({ inLedger }) => formatBalance(inLedger) },
  { header: "Found", cell: ({ foundAt }) => <DateTime at={foundAt} /> },
  { header: "What to do", cell: toDoAbout },
  { header: "Action", cell: (difference) => <CorrectDifference difference={difference} /> },
];

function toDoAbout({ atProvider, inLedger }: LedgerDifference): string {
  if (atProvider === 0)
    return "The card provider has not moved this money. Press it to see what we recorded, and pay nothing for this deal until it is explained.";
  if (inLedger === 0 || Math.sign(inLedger) !== Math.sign(atProvider))
    return "The ledger knows nothing of this. Look it up in the card provider's dashboard, and refund a payment or reverse a transfer that belongs to no sale of this shop. Then correct the ledger.";
  return "The amounts differ. Press it, and compare what we recorded with the card provider's dashboard. Then correct the ledger.";
}

function CorrectDifference({ difference }: { difference: LedgerDifference }) {
  return (
    <DialogButton
      aria-label={`Correct ${difference.reference}`}
      dialog={(onClose) => <CorrectionDialog difference={difference} onClose={onClose} />}
    >
      Correct
    </DialogButton>
  );
}

const options = correctionAccounts.map((value) => ({ value, label: accountNames[value].name }));

type CorrectionDialogProps = { difference: LedgerDifference; onClose: () => void };

function CorrectionDialog({ difference, onClose }: CorrectionDialogProps) {
  const { reference, atProvider, inLedger } = difference;
  const amount = atProvider - inLedger;
  const form = useZodForm(correctionForm, { account: "platform_loss", reason: "" });
  const correct = useFormCall(form, correctDifference, {
    success: "The ledger is corrected.",
    onSuccess: onClose,
  });
  return (
    <Dialog title={`Correct the ledger by ${formatBalance(amount)}?`} onClose={onClose}>
      <Form
        form={form}
        onSubmit={(values) => correct.mutate({ body: { ...values, reference, amount } })}
      >
        <p className="mb-2">
          First find out why <span className="break-all">{reference}</span> differs. A correction
          can't be taken back.
        </p>
        <FormField
          form={form}
          name="account"
          label={amount < 0 ? "Where the money went" : "Where the money came from"}
          as="select"
          options={options}
        />
        <FormField
          form={form}
          name="reason"
          label="Reason"
          as="textarea"
          hint="It is kept in the audit log."
        />
        <DialogSubmit form={form} busy={correct.isPending} />
      </Form>
    </Dialog>
  );
}

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

const journalColumns: Column<Journal>[] = [
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

export function JournalsTable({ search }: { search: string }) {
  const journals = useQuery(queryOf(listJournals, { query: { search } }));
  return (
    <QueryTable
      query={journals}
      caption="What happened"
      columns={journalColumns}
      emptyTitle="Nothing found"
      empty={`The ledger has nothing about “${search}”.`}
    />
  );
}

function formatBalance(amount: number): string {
  return `${amount < 0 ? "−" : ""}${formatPrice(Math.abs(amount))}`;
}
