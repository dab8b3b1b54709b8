import { Link } from "react-router";
import type { Dispute, Payment } from "#contract/payments.ts";
import { formatPrice } from "#contract/price.ts";
import { dealRecordPath } from "#web/admin-paths.ts";
import { disputeReason, inquiryText, partRefundText } from "#web/domain/deals/payment-texts.ts";
import { DateTime } from "#web/ui/DateTime.tsx";
import { formatDate } from "#web/ui/format.ts";

export function PaymentStatus({ payment }: { payment: Payment }) {
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

function State({ payment: { state, bookingState, refundedAt, failedRefunds } }: Props) {
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

type Props = { payment: Payment };

function UnsentRefund({ payment }: Props) {
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
      <Link to={dealRecordPath(bookingId)} className="link">
        {dispute.state === "open" && dispute.respondBy ? "Send evidence" : "See the deal"}
      </Link>
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
  return `Reason: ${why}. Answer the bank by ${formatDate(respondBy)}.`;
}
