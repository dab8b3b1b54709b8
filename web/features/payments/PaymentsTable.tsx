import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { listPayments, type Payment } from "#contract/payments.ts";
import { formatPrice } from "#contract/price.ts";
import { dealRecordPath } from "#web/admin-paths.ts";
import { listOf } from "#web/api/api.ts";
import { ProductName } from "#web/domain/products/ProductName.tsx";
import type { Column } from "#web/ui/DataTable.tsx";
import { DateTime } from "#web/ui/DateTime.tsx";
import { EmailText } from "#web/ui/EmailText.tsx";
import { QueryTable } from "#web/ui/QueryTable.tsx";
import { PaymentStatus } from "./PaymentStatus.tsx";
import { RefundButton, RetryRefundButton, SettleRefundButton } from "./RefundButton.tsx";

const columns: Column<Payment>[] = [
  { header: "When", cell: ({ recordedAt }) => <DateTime at={recordedAt} /> },
  {
    header: "Buyer",
    cell: ({ name, email }) => (
      <>
        <p className="font-medium">
          <bdi>{name}</bdi>
        </p>
        <p className="text-muted text-sm">
          <EmailText>{email}</EmailText>
        </p>
      </>
    ),
  },
  {
    header: "Laptop",
    cell: ({ product_name, transactionId, bookingId }) => (
      <>
        <p className="font-medium">
          <ProductName name={product_name} />
        </p>
        <p className="mt-1 break-all text-muted text-sm">
          <Link to={dealRecordPath(bookingId)} className="link-hover">
            {transactionId}
          </Link>
        </p>
      </>
    ),
  },
  { header: "Price", as: "amount", cell: ({ price }) => formatPrice(price) },
  { header: "Status", cell: (payment) => <PaymentStatus payment={payment} /> },
  { header: "Action", cell: (payment) => <PaymentAction payment={payment} /> },
];

/** Newest first. A paid booking can be refunded until the handover. */
export function PaymentsTable({ search }: { search?: string | undefined }) {
  const payments = useInfiniteQuery({
    ...listOf(listPayments, { query: { search } }),
    refetchInterval: ({ state }) =>
      pollWhileRefunding(state.data?.pages.flatMap(({ body }) => body)),
  });
  return (
    <QueryTable
      query={payments}
      caption="Payments"
      columns={columns}
      emptyTitle="No payments"
      empty={
        search === undefined
          ? "Payments appear here when someone pays for a laptop."
          : `No payments match “${search}”.`
      }
    />
  );
}

/** Renders nothing while the buyer's bank decides about the money. */
function PaymentAction({ payment }: { payment: Payment }) {
  const { state, bookingState, fromBank, sent, unsentPart, dispute } = payment;
  if (dispute?.state === "open") return null;
  if (state === "refund_failed" || unsentPart !== null)
    return (
      <div className="flex flex-wrap gap-2">
        {fromBank + (unsentPart === null ? sent : 0) === 0 && (
          <RetryRefundButton payment={payment} />
        )}
        <SettleRefundButton payment={payment} />
      </div>
    );
  return state === "succeeded" && bookingState === "paid" && <RefundButton payment={payment} />;
}

/** Doesn't poll for failed refunds, because they are not retried for hours. */
function pollWhileRefunding(payments: Payment[] = []): number | false {
  return (
    payments.some(({ state, failedRefunds }) => state === "refund_due" && failedRefunds === 0) &&
    3_000
  );
}
