import { useInfiniteQuery } from "@tanstack/react-query";
import { listPayments, type Payment } from "#contract/payments.ts";
import { formatPrice } from "#contract/price.ts";
import { listOf } from "#web/api/api.ts";
import { type Column, DataTable, TableSkeleton } from "#web/ui/DataTable.tsx";
import { DateTime } from "#web/ui/DateTime.tsx";
import { EmailText } from "#web/ui/EmailText.tsx";
import { EmptyIllustration } from "#web/ui/illustrations.tsx";
import { Notice } from "#web/ui/Notice.tsx";
import { ProductName } from "#web/ui/ProductName.tsx";
import { QueryState } from "#web/ui/QueryState.tsx";
import { UserText } from "#web/ui/UserText.tsx";
import { RefundButton } from "./RefundButton.tsx";

const columns: Column<Payment>[] = [
  {
    header: "When",
    cell: ({ recordedAt }) => <DateTime at={recordedAt} />,
  },
  {
    header: "Buyer",
    cell: ({ name, email }) => (
      <>
        <p className="font-medium">
          <UserText>{name}</UserText>
        </p>
        <p className="text-muted text-sm">
          <EmailText>{email}</EmailText>
        </p>
      </>
    ),
  },
  {
    header: "Laptop",
    cell: ({ product_name, transactionId }) => (
      <>
        <p className="font-medium">
          <ProductName name={product_name} />
        </p>
        <p className="mt-1 break-all text-muted text-sm">{transactionId}</p>
      </>
    ),
  },
  {
    header: "Price",
    as: "amount",
    cell: ({ price }) => formatPrice(price),
  },
  { header: "Status", cell: (payment) => <PaymentStatus {...payment} /> },
  {
    header: "Action",
    cell: (payment) => isRefundable(payment) && <RefundButton payment={payment} />,
  },
];

/** All payments, newest first, optionally searched. A paid booking can be refunded until handover. */
export function PaymentsTable({ search }: { search?: string | undefined }) {
  const payments = useInfiniteQuery({
    ...listOf(listPayments, { query: { search } }),
    refetchInterval: ({ state }) =>
      pollWhileRefunding(state.data?.pages.flatMap(({ body }) => body)),
  });
  return (
    <QueryState
      query={payments}
      skeleton={<TableSkeleton columns={columns} />}
      empty={
        <Notice title="No payments" drawing={<EmptyIllustration />}>
          {search === undefined
            ? "Payments appear here when someone pays for a laptop."
            : `No payments match “${search}”.`}
        </Notice>
      }
    >
      {(rows) => (
        <DataTable caption="Payments" columns={columns} rows={rows} keyOf={({ _id }) => _id} />
      )}
    </QueryState>
  );
}

function isRefundable({ state, bookingState }: Payment): boolean {
  return state === "succeeded" && bookingState === "paid";
}

function PaymentStatus({ state, bookingState, refundedAt }: Payment) {
  if (state === "refund_due") return "Refund on its way";
  if (refundedAt !== null)
    return (
      <>
        Refunded <DateTime at={refundedAt} />
      </>
    );
  return bookingState === "completed" ? "Handed over" : "Paid";
}

/** Polls while a refund is in progress. */
function pollWhileRefunding(payments: Payment[] = []): number | false {
  return payments.some(({ state }) => state === "refund_due") && 3_000;
}
