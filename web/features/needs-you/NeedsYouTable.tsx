import { useQuery } from "@tanstack/react-query";
import { type NeedsYouItem, readNeedsYou } from "#contract/needs-you.ts";
import { needsYouText } from "#contract/needs-you-texts.ts";
import { formatPrice } from "#contract/price.ts";
import { dealRecordPath, ledgerPath, paymentsPath } from "#web/admin-paths.ts";
import { queryOf } from "#web/api/api.ts";
import { ProductName } from "#web/domain/products/ProductName.tsx";
import { paths } from "#web/paths.ts";
import type { Column } from "#web/ui/DataTable.tsx";
import { DateTime } from "#web/ui/DateTime.tsx";
import { ButtonLink } from "#web/ui/Link.tsx";
import { QueryTable } from "#web/ui/QueryTable.tsx";

const columns: Column<NeedsYouItem & { _id: string }>[] = [
  {
    header: "Deal",
    as: "title",
    cell: ({ product_name, transactionId }) => (
      <>
        {product_name !== null && (
          <p className="font-medium">
            <ProductName name={product_name} />
          </p>
        )}
        <p className="break-all text-muted text-sm">{transactionId}</p>
      </>
    ),
  },
  { header: "What to do", cell: needsYouText },
  { header: "Since", cell: ({ since }) => <DateTime at={since} /> },
  { header: "By", cell: ({ deadline }) => (deadline ? <DateTime at={deadline} /> : "No deadline") },
  { header: "Amount", as: "amount", cell: ({ amount }) => formatPrice(amount) },
  { header: "Action", cell: (item) => <Action item={item} /> },
];

/** Earliest deadline first. */
export function NeedsYouTable() {
  const items = useQuery({
    ...queryOf(readNeedsYou, {}),
    select: (found) => found.items.map((item) => ({ ...item, _id: idOf(item) })),
    refetchInterval: 60_000,
  });
  return (
    <QueryTable
      query={items}
      caption="What needs you"
      columns={columns}
      emptyTitle="Nothing needs you"
      empty="Money and deals that only you can decide about appear here."
    />
  );
}

function idOf({ reason, bookingId, transactionId }: NeedsYouItem): string {
  return `${reason} ${bookingId} ${transactionId}`;
}

function Action({ item }: { item: NeedsYouItem }) {
  const { label, to } = actionOf(item);
  const about = item.product_name ?? item.transactionId;
  return (
    <ButtonLink to={to} aria-label={`${label}: ${about}`} look="plain" size="small">
      {label}
    </ButtonLink>
  );
}

function actionOf({ reason, bookingId, transactionId }: NeedsYouItem) {
  const deal = dealRecordPath(bookingId ?? "");
  switch (reason) {
    case "refund_failed":
    case "refund_late":
    case "inquiry":
      return { label: "See the payment", to: paymentsPath(transactionId ?? "") };
    case "unclaimed":
    case "came_back":
      return { label: "Decide", to: deal };
    case "dispute":
      return { label: "Send evidence", to: deal };
    case "complaint":
    case "return_late":
      return { label: "Decide", to: paths.complaint(bookingId ?? "") };
    case "discount":
      return { label: "Check the invitation", to: paths.invitations() };
    case "difference":
      return { label: "See the ledger", to: ledgerPath() };
    default:
      return { label: "See the deal", to: deal };
  }
}
