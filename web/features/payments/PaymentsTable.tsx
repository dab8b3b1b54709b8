import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { type Dispute, listPayments, type Payment } from "#contract/payments.ts";
import { formatPrice } from "#contract/price.ts";
import { refundBooking, settleRefund } from "#contract/refunds.ts";
import { dealRecordPath } from "#web/admin-paths.ts";
import { listOf } from "#web/api/api.ts";
import { CallButton, ConfirmCallButton } from "#web/api/CallButton.tsx";
import { disputeReason, inquiryText, partRefundText } from "#web/domain/deals/payment-texts.ts";
import { ProductName } from "#web/domain/products/ProductName.tsx";
import type { Column } from "#web/ui/DataTable.tsx";
import { DateTime } from "#web/ui/DateTime.tsx";
import { EmailText } from "#web/ui/EmailText.tsx";
import { formatDateTime } from "#web/ui/format-dates-and-counts.ts";
import { Icon } from "#web/ui/Icon.tsx";
import { TextLink } from "#web/ui/Link.tsx";
import { QueryTable } from "#web/ui/QueryTable.tsx";

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

/** Doesn't poll for failed refunds, because they are retried an hour later at the earliest. */
function pollWhileRefunding(payments: Payment[] = []): number | false {
  return (
    payments.some(({ state, failedRefunds }) => state === "refund_due" && failedRefunds === 0) &&
    3_000
  );
}

type PaymentProps = { payment: Payment };

function PaymentStatus({ payment }: PaymentProps) {
  const { dispute, partRefund } = payment;
  return (
    <>
      <p>
        <State payment={payment} />
      </p>
      {partRefund && !partRefund.failed && (
        <p className="text-muted text-sm">{partRefundText(partRefund, "seller")}</p>
      )}
      {dispute?.state !== "open" && <UnsentRefund payment={payment} />}
      {dispute && <DisputeStatus dispute={dispute} bookingId={payment.bookingId} />}
    </>
  );
}

function State({ payment: { state, bookingState, refundedAt, failedRefunds } }: PaymentProps) {
  if (state === "refund_due")
    return failedRefunds === 0
      ? "Refund on its way"
      : "The bank sent the refund back. We'll try again within a day.";
  if (state === "refund_failed")
    return <span className="font-medium text-error">Refund failed</span>;
  if (refundedAt !== null)
    return (
      <>
        Refunded <DateTime at={refundedAt} />
      </>
    );
  return bookingState === "completed" ? "Handed over" : "Paid";
}

function UnsentRefund({ payment }: PaymentProps) {
  const { state, name, unsent, unsentPart, fromBank, sent } = payment;
  if (state === "refund_failed")
    return (
      <p className="text-muted text-sm">
        Ask <bdi>{name}</bdi> how else you can send {formatPrice(unsent)}, and send it.
        {fromBank + sent === 0 && " Or try again."}
      </p>
    );
  if (unsentPart === null) return null;
  return (
    <>
      <p className="font-medium text-error">Refund of a part failed</p>
      <p className="text-muted text-sm">
        <bdi>{name}</bdi> is to get {formatPrice(unsentPart)} back. Ask them how else you can send
        it, and send it. Or try again.
      </p>
    </>
  );
}

function DisputeStatus({ dispute, bookingId }: { dispute: Dispute; bookingId: string }) {
  return (
    <p className="text-sm">
      <span className={dispute.state === "won" ? "font-medium" : "font-medium text-error"}>
        {titles[dispute.state]}.
      </span>{" "}
      <span className="text-muted">{explain(dispute)}</span>{" "}
      <TextLink to={dealRecordPath(bookingId)}>
        {dispute.state === "open" && dispute.respondBy ? "Send evidence" : "See the deal"}
      </TextLink>
    </p>
  );
}

const titles = { inquiry: "Inquiry", open: "Disputed", won: "Dispute won", lost: "Dispute lost" };

function explain({ state, reason, amount, respondBy }: Dispute): string {
  const why = disputeReason(reason);
  if (state === "inquiry") return inquiryText(respondBy);
  if (state === "won") return `The bank doesn't take the money back (${why}).`;
  if (state === "lost") return `The bank gave ${formatPrice(amount)} back to the buyer (${why}).`;
  if (respondBy === null) return `Reason: ${why}. The bank is deciding.`;
  return `Reason: ${why}. Answer the bank by ${formatDateTime(respondBy)}.`;
}

/** Renders nothing during an open dispute, because the buyer's bank decides about the money. */
function PaymentAction({ payment }: PaymentProps) {
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

/** Records that an admin has sent a failed refund's money by other means. */
function SettleRefundButton({ payment }: PaymentProps) {
  const { _id: paymentId, name, product_name } = payment;
  const price = formatPrice(payment.unsent);
  return (
    <ConfirmCallButton
      label={`Sent another way: the refund of ${product_name} to ${name}`}
      title="Did you send the money?"
      message={
        payment.unsentPart === null
          ? `My Orders will tell ${name} that we sent ${price} another way. This can't be undone.`
          : `${name} got ${price} another way. This can't be undone.`
      }
      confirm="Yes, it's sent"
      call={settleRefund}
      request={{ body: { paymentId } }}
      success={`${price} is marked as sent to ${name}`}
    >
      Sent another way
    </ConfirmCallButton>
  );
}

function RetryRefundButton({ payment }: PaymentProps) {
  const { _id: paymentId, bookingId, name, product_name } = payment;
  return (
    <CallButton
      aria-label={`Try again to refund ${product_name} to ${name}`}
      call={refundBooking}
      request={{ body: { bookingId, retry: paymentId } }}
      success={`${formatPrice(payment.unsent)} is being refunded to ${name} once more`}
    >
      Try again
    </CallButton>
  );
}

function RefundButton({ payment }: PaymentProps) {
  const { bookingId, name, product_name, fromBank } = payment;
  const price = formatPrice(payment.price - fromBank);
  const message =
    fromBank > 0
      ? `The sale of ${product_name} is canceled, and the laptop goes back on sale. Send ${name} the other ${price} another way: it can't go to the card, because the bank gave back ${formatPrice(fromBank)}. This can't be undone.`
      : `${name} gets ${price} back for ${product_name}, and the laptop goes back on sale. This can't be undone.`;
  return (
    <ConfirmCallButton
      label={`Refund ${product_name} to ${name}`}
      title="Refund this payment?"
      message={message}
      confirm="Refund"
      call={refundBooking}
      request={{ body: { bookingId } }}
      success={fromBank > 0 ? "The sale is canceled" : `${price} is being refunded to ${name}`}
    >
      <Icon name="undo-2" className="size-4" />
      Refund
    </ConfirmCallButton>
  );
}
